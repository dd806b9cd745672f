import { ACTION_COLUMNS, ACTION_ROWS } from './analysis-picture.ts'
import { digitOf } from './likeness.ts'
import type { Passage } from './passage-worth.ts'
import type { Size } from './picture.ts'
import type { Moment } from './types.ts'

/** Where a part of a picture lies: shares of the room beside it, 0 left or top, 1 the far end. */
export interface CropPlace {
  readonly x: number
  readonly y: number
}

/** Where nothing is known: heads are above the middle of a picture. */
const USUAL: CropPlace = { x: 0.5, y: 0.3 }
/**
 * So much more of what moves is worth the way through all the room. Where the camera moves, edges
 * everywhere do, and no part has so much more of them than the usual one.
 */
const PULL = 0.4
/** Places that are compared, over the whole room. */
const STEPS = 40

/**
 * Where to cut a part out of the picture for one passage: the part in which most moves, so that who
 * is seen beside the middle is not cut away. It stays there for all of the passage: a part that
 * follows them would make a camera on a tripod look as if a hand held it.
 */
export function placeToCrop(
  whole: Size,
  part: Size,
  { startMs, durationMs }: Passage,
  moments: readonly Moment[],
): CropPlace {
  const [columns, rows] = [new Float64Array(ACTION_COLUMNS), new Float64Array(ACTION_ROWS)]
  for (const { atMs, lengthMs, action } of moments) {
    const overlapMs = Math.min(startMs + durationMs, atMs + lengthMs) - Math.max(startMs, atMs)
    if (action?.length !== ACTION_COLUMNS + ACTION_ROWS || overlapMs <= 0) continue
    for (const at of columns.keys())
      columns[at] = (columns[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(at))
    for (const at of rows.keys())
      rows[at] = (rows[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(ACTION_COLUMNS + at))
  }
  return {
    x: bestPlace(columns, part.width / whole.width, USUAL.x),
    y: bestPlace(rows, part.height / whole.height, USUAL.y),
  }
}

/** @param share of the side that the part has */
function bestPlace(action: Float64Array, share: number, usual: number): number {
  const all = action.reduce((sum, each) => sum + each, 0)
  const worth = (place: number): number => {
    const from = place * (1 - share)
    const seen = all === 0 ? 0 : between(action, from, from + share) / all
    return seen - PULL * Math.abs(place - usual)
  }
  const places = Array.from({ length: STEPS + 1 }, (_, index) => index / STEPS)
  return [usual, ...places].reduce((best, place) => (worth(place) > worth(best) ? place : best))
}

/** How much lies between two shares of the side. */
function between(action: Float64Array, from: number, to: number): number {
  return action.reduce((sum, each, at) => {
    const [start, end] = [at / action.length, (at + 1) / action.length]
    const overlap = Math.max(0, Math.min(to, end) - Math.max(from, start))
    return sum + each * overlap * action.length
  }, 0)
}
