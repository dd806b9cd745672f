import type { GrayLook } from './gray-pictures.ts'

/**
 * [Note: grain] Grain is new in each picture, and what stands still is not: where least moves, the
 * difference of two pictures that follow each other is grain alone. It is taken of single points,
 * because a picture that is made smaller has less of it, and of a quarter of the blocks, because
 * the rest may move. Encoders take light grain away and repeat what was there; that counts as none.
 */
const WIDTH = 384
const HEIGHT = 216
const BLOCK = 8
const PICTURE_BYTES = WIDTH * HEIGHT
/** Some recordings show each picture twice. */
const PICTURES = 3
const STILL_SHARE = 0.25

/** The pictures in which grain is looked for. */
export const GRAIN_LOOK: GrayLook = { width: WIDTH, height: HEIGHT, pictures: PICTURES }

/**
 * How much a point differs from itself in the next picture where nothing moves, as a standard
 * deviation in steps of 255, by what each run wrote; null where none wrote two pictures.
 */
export function grainIn(places: readonly Uint8Array[]): number | null {
  const found = places
    .map((bytes) => {
      const pictures = Array.from({ length: Math.floor(bytes.length / PICTURE_BYTES) }, (_, at) =>
        bytes.subarray(at * PICTURE_BYTES, (at + 1) * PICTURE_BYTES),
      )
      return pictures.slice(1).map((next, at) => between(pictures[at] ?? next, next))
    })
    .filter((pairs) => pairs.length > 0)
    .map((pairs) => Math.max(...pairs))
    .toSorted((a, b) => a - b)
  return found[Math.floor(found.length / 2)] ?? null
}

function between(one: Uint8Array, next: Uint8Array): number {
  const blocks: number[] = []
  for (let top = 0; top < HEIGHT; top += BLOCK)
    for (let left = 0; left < WIDTH; left += BLOCK) blocks.push(spread(one, next, left, top))
  return blocks.toSorted((a, b) => a - b)[Math.floor(blocks.length * STILL_SHARE)] ?? 0
}

/** Standard deviation of the difference in one block, of one picture's share. */
function spread(one: Uint8Array, next: Uint8Array, left: number, top: number): number {
  let sum = 0
  let squares = 0
  for (let y = top; y < top + BLOCK; y += 1) {
    for (let at = y * WIDTH + left; at < y * WIDTH + left + BLOCK; at += 1) {
      const difference = (next[at] ?? 0) - (one[at] ?? 0)
      sum += difference
      squares += difference * difference
    }
  }
  const count = BLOCK * BLOCK
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2) / 2)
}
