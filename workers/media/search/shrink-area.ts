/** One plane of a picture as a decoder laid it out. */
export interface SourcePlane {
  readonly values: Uint8Array | Uint16Array
  readonly offset: number
  readonly stride: number
  /** Values from one to the next of a row. */
  readonly step: 1 | 2
  readonly width: number
  readonly height: number
  /** What one step of its values is in 256 of them. */
  readonly unit: number
}

interface SmallPlane {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

/**
 * Writes the mean of the area under each small pixel, as ffmpeg's `scale=flags=area` does: edges
 * and grain of small pictures are compared with those of others, so no value is left out.
 */
export function shrinkArea(source: SourcePlane, { width, height, bytes }: SmallPlane): void {
  const across = source.width / width
  const down = source.height / height
  const row = new Float32Array(width)
  const scale = source.unit / (across * down)
  for (let y = 0; y < height; y += 1) {
    row.fill(0)
    const [top, bottom] = [y * down, Math.min(source.height, (y + 1) * down)]
    for (let from = Math.floor(top); from < bottom; from += 1) {
      const share = Math.min(bottom, from + 1) - Math.max(top, from)
      if (share > 1e-6) addRow(source, from, share, across, row)
    }
    for (let x = 0; x < width; x += 1)
      bytes[y * width + x] = Math.min(255, (row[x] ?? 0) * scale + 0.5)
  }
}

/** Adds what lies of a row of the source under each small pixel. */
function addRow(
  { values, offset, stride, step, width }: SourcePlane,
  y: number,
  share: number,
  across: number,
  into: Float32Array,
): void {
  const start = offset + y * stride
  let x = 0
  for (let column = 0; column < into.length; column += 1) {
    const end = Math.min(width, (column + 1) * across)
    let left = column * across
    let sum = 0
    // One at an end belongs to two small pixels.
    for (; x < end; x += 1) {
      const until = Math.min(end, x + 1)
      sum += (values[start + x * step] ?? 0) * (until - left)
      left = until
      if (until < x + 1) break
    }
    into[column] = (into[column] ?? 0) + share * sum
  }
}
