/**
 * A smaller copy of a decoded picture, made from its planes: drawing a 4K picture on a canvas takes
 * 60 ms where there is no graphics processor, and leaves hundreds of MB behind; this takes 15. Null
 * when it is not much larger than wanted, or stored in another way: then the picture itself has to
 * be drawn. The picture stays open; the caller closes the copy.
 */
export async function shrinkFrame(
  frame: VideoFrame,
  wantedWidth: number,
  wantedHeight: number,
): Promise<VideoFrame | null> {
  const { format, visibleRect, timestamp } = frame
  if (visibleRect === null || (format !== 'I420' && format !== 'NV12')) return null
  const factor = Math.floor(
    Math.min(visibleRect.width / wantedWidth, visibleRect.height / wantedHeight),
  )
  const [width, height] = [
    evenPart(visibleRect.width / factor),
    evenPart(visibleRect.height / factor),
  ]
  if (factor < 2 || width < 2 || height < 2) return null
  const bytes = new Uint8Array(frame.allocationSize())
  const planes = await frame.copyTo(bytes)
  const [luma, first, second] = planes
  if (luma === undefined || first === undefined) return null
  const [chromaWidth, chromaHeight] = [width / 2, height / 2]
  const small = new Uint8Array(width * height + 2 * chromaWidth * chromaHeight)
  const cells = { factor, width: chromaWidth, height: chromaHeight }
  shrinkPlane(bytes, { ...luma, step: 1 }, { factor, width, height }, small)
  // NV12 has both colours in one plane, by turns.
  shrinkPlane(
    bytes,
    { ...first, step: format === 'NV12' ? 2 : 1 },
    cells,
    small.subarray(width * height),
  )
  const last =
    format === 'NV12'
      ? { ...first, offset: first.offset + 1, step: 2 }
      : second === undefined
        ? null
        : { ...second, step: 1 }
  if (last === null) return null
  shrinkPlane(bytes, last, cells, small.subarray(width * height + chromaWidth * chromaHeight))
  return new VideoFrame(small, {
    format: 'I420',
    codedWidth: width,
    codedHeight: height,
    timestamp,
    colorSpace: frame.colorSpace.toJSON(),
  })
}

interface Plane {
  readonly offset: number
  readonly stride: number
  /** Bytes from one value to the next. */ readonly step: number
}
interface Cells {
  readonly factor: number
  readonly width: number
  readonly height: number
}

/** Values looked at in each direction of a cell: more are not seen in a small picture. */
const MOST_TAPS = 3

/** Writes the mean of each cell of `factor` × `factor` values. */
export function shrinkPlane(
  bytes: Uint8Array,
  { offset, stride, step }: Plane,
  { factor, width, height }: Cells,
  into: Uint8Array,
): void {
  const count = Math.min(factor, MOST_TAPS)
  const taps = Array.from({ length: count }, (_, tap) => Math.floor(((tap + 0.5) * factor) / count))
  const around = taps.flatMap((y) => taps.map((x) => y * stride + x * step))
  for (let y = 0; y < height; y += 1) {
    let at = offset + y * factor * stride
    for (let x = 0; x < width; x += 1, at += factor * step) {
      let sum = 0
      for (const distance of around) sum += bytes[at + distance] ?? 0
      into[y * width + x] = sum / around.length
    }
  }
}

function evenPart(size: number): number {
  return Math.floor(size / 2) * 2
}
