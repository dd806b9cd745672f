import type { DeepFacts } from '#checks/facts.ts'

/** A picture as a few grey values (0..255), enough to tell black from dim and still from moving. */
export interface PictureLook {
  readonly frameAtMs: number
  readonly mean: number
  readonly deviation: number
  readonly grid: readonly number[]
}

const GRID_WIDE = 16
const GRID_HIGH = 9
const BLACK_MEAN = 24
/** A night scene is dark as well, but not even. */
const BLACK_DEVIATION = 6
/** Grey values; noise of a compressed still picture stays below. */
const FROZEN_DIFFERENCE = 3

/** Looks at RGBA pixels. Sizes below the grid are looked at as they are. */
export function lookAt(
  rgba: Uint8ClampedArray | Uint8Array,
  width: number,
  height: number,
  frameAtMs: number,
): PictureLook {
  const sums = new Float64Array(GRID_WIDE * GRID_HIGH)
  const counts = new Uint32Array(GRID_WIDE * GRID_HIGH)
  let [sum, squares] = [0, 0]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      // BT.709 weights.
      const grey =
        0.2126 * (rgba[at] ?? 0) + 0.7152 * (rgba[at + 1] ?? 0) + 0.0722 * (rgba[at + 2] ?? 0)
      const cell =
        Math.floor((y * GRID_HIGH) / height) * GRID_WIDE + Math.floor((x * GRID_WIDE) / width)
      sums[cell] = (sums[cell] ?? 0) + grey
      counts[cell] = (counts[cell] ?? 0) + 1
      sum += grey
      squares += grey * grey
    }
  }
  const pixels = Math.max(1, width * height)
  const mean = sum / pixels
  return {
    frameAtMs,
    mean,
    deviation: Math.sqrt(Math.max(0, squares / pixels - mean * mean)),
    grid: Array.from(sums, (total, cell) => total / Math.max(1, counts[cell] ?? 0)),
  }
}

/** What a strip of pictures says of the whole; pictures of one and the same frame count once. */
export function judgeLooks(looks: readonly PictureLook[]): DeepFacts['pictures'] {
  const byFrame = Array.from(
    new Map(looks.map((look) => [look.frameAtMs, look])).values(),
  ).toSorted((a, b) => a.frameAtMs - b.frameAtMs)
  if (byFrame.length === 0) return null
  const isBlack = (look: PictureLook): boolean =>
    look.mean < BLACK_MEAN && look.deviation < BLACK_DEVIATION
  const frozen = byFrame.filter((look, index) => {
    const before = byFrame[index - 1]
    return before !== undefined && differenceOf(look, before) < FROZEN_DIFFERENCE
  })
  return { looked: byFrame.length, black: byFrame.filter(isBlack).length, frozen: frozen.length }
}

/** The largest cell decides: a small thing that moves is enough. */
function differenceOf(a: PictureLook, b: PictureLook): number {
  return Math.max(...a.grid.map((grey, cell) => Math.abs(grey - (b.grid[cell] ?? 0))))
}
