import { ACTION_COLUMNS, ACTION_ROWS } from './analysis-picture.ts'
import { readHeads, type PictureArea } from './heads.ts'
import { digitOf } from './likeness.ts'
import type { Passage } from './passage-worth.ts'
import type { Size } from './picture.ts'
import type { Moment } from './types.ts'

/** Where a part of a picture lies: shares of the room beside it, 0 left or top, 1 the far end. */
interface CropPlace {
  readonly x: number
  readonly y: number
}

/** The best place, and how many heads it cuts: 1 is one head for all of the passage. */
interface FoundPlace extends CropPlace {
  readonly cutHeads: number
}

/** A part of the picture with a shape of its own, and how it is cut out. */
export interface Crop {
  /** The whole picture, brought to the size in which the part has its own. */
  readonly whole: Size
  readonly part: Size
  /** Left and top of the part in it. */
  readonly left: number
  readonly top: number
}

/**
 * The part that a passage shows.
 * @param crop in pixels of the source, and the `size` it is brought to, as `cropTo` says them
 */
export function cropIn(
  source: Size,
  { crop, size }: { readonly crop: Size; readonly size: Size },
  passage: Passage,
  moments: readonly Moment[],
): Crop {
  const whole = wholeFor(source, crop, size)
  const { x, y } = placeToCrop(whole, size, passage, moments)
  // Whole pixels of colour, which are two of brightness.
  const offset = (side: 'width' | 'height', share: number): number =>
    Math.floor(((whole[side] - size[side]) * share) / 2) * 2
  return { whole, part: size, left: offset('width', x), top: offset('height', y) }
}

/** Whether a part leaves nothing out but what rounding to even sides does. */
export function isAllOf(source: Size, crop: Size): boolean {
  return crop.width >= source.width - 1 && crop.height >= source.height - 1
}

/** HDR has to be scaled first anyway. */
function wholeFor(source: Size, crop: Size, size: Size): Size {
  if (isAllOf(source, crop)) return size
  const factor = Math.max(size.width / crop.width, size.height / crop.height)
  return {
    width: Math.max(size.width, Math.round((source.width * factor) / 2) * 2),
    height: Math.max(size.height, Math.round((source.height * factor) / 2) * 2),
  }
}

/** The filter that cuts the part out of the whole picture. */
export function cropFilter({ part, left, top }: Crop): string {
  return `crop=${part.width}:${part.height}:${left}:${top}`
}

/** Where nothing is known: heads are above the middle of a picture. */
const USUAL: CropPlace = { x: 0.5, y: 0.3 }
/**
 * A place at the far end of the room must have this share more of what moves than the usual place.
 * Where the camera moves, all edges move, and no part has so much more of them.
 */
const PULL = 0.4
/** Places that are compared, over the whole room. */
const STEPS = 80

/**
 * Where to cut a part out of the picture for one passage: the part that has the most heads and cuts
 * none, and of those the one in which most moves, so that people beside the middle are not cut
 * away. The part stays there for all of the passage: one that follows people would make a camera on
 * a tripod look as if a hand held it.
 */
export function placeToCrop(
  whole: Size,
  part: Size,
  { startMs, durationMs }: Passage,
  moments: readonly Moment[],
): FoundPlace {
  const heads: SeenHead[] = []
  const [columns, rows] = [new Float64Array(ACTION_COLUMNS), new Float64Array(ACTION_ROWS)]
  for (const { atMs, lengthMs, action, heads: seen } of moments) {
    const overlapMs = Math.min(startMs + durationMs, atMs + lengthMs) - Math.max(startMs, atMs)
    if (overlapMs <= 0) continue
    heads.push(...readHeads(seen).map((box) => ({ ...box, share: overlapMs / durationMs })))
    if (action?.length !== ACTION_COLUMNS + ACTION_ROWS) continue
    for (const at of columns.keys())
      columns[at] = (columns[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(at))
    for (const at of rows.keys())
      rows[at] = (rows[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(ACTION_COLUMNS + at))
  }
  const across = heads.map(({ left, right, share }) => ({ from: left, to: right, share }))
  const down = heads.map(({ top, bottom, share }) => ({ from: top, to: bottom, share }))
  const [wide, high] = [part.width / whole.width, part.height / whole.height]
  const x = bestPlace(columns, across, wide, USUAL.x)
  const y = bestPlace(rows, down, high, USUAL.y)
  return { x, y, cutHeads: cutOf(across, x, wide) + cutOf(down, y, high) }
}

/** How many heads are cut at a place, each as often as it is there. */
function cutOf(heads: readonly Extent[], place: number, share: number): number {
  if (share >= 1) return 0
  const start = place * (1 - share)
  const cut = heads.filter(
    ({ from, to }) => from < start + share && to > start && (from < start || to > start + share),
  )
  return cut.reduce((sum, head) => sum + head.share, 0)
}

/** A head, and for which share of the passage it is there. */
interface SeenHead extends PictureArea {
  readonly share: number
}

/** From where to where on one side of the picture a head is. */
interface Extent {
  readonly from: number
  readonly to: number
  readonly share: number
}

/**
 * A head that is cut outweighs all motion against a place, and a whole head outweighs it for a
 * place.
 */
const CUT = 100
const WHOLE = 10
/** So does room beside a head, as a share of the head: heads move between two looks for them. */
const ROOM = 10
const BESIDE = 0.2

/** @param share of the side that the part has */
function bestPlace(
  action: Float64Array,
  heads: readonly Extent[],
  share: number,
  usual: number,
): number {
  if (share >= 1) return usual
  const all = action.reduce((sum, each) => sum + each, 0)
  const worth = (place: number): number => {
    const from = place * (1 - share)
    const seen = all === 0 ? 0 : between(action, from, from + share) / all
    return seen - PULL * Math.abs(place - usual) + headsWorth(heads, from, from + share)
  }
  const places = Array.from({ length: STEPS + 1 }, (_, index) => index / STEPS)
  return [usual, ...places].reduce((best, place) => (worth(place) > worth(best) ? place : best))
}

/** What a part is worth for the heads in it, of which larger ones count more. */
function headsWorth(heads: readonly Extent[], start: number, end: number): number {
  return heads.reduce((sum, { from, to, share }) => {
    const inside = Math.min(end, to) - Math.max(start, from)
    if (inside <= 0) return sum
    // Nearly whole is better than half.
    if (from < start || to > end) return sum - share * CUT * (1 - inside / (to - from) + 0.1)
    const beside = BESIDE * (to - from)
    const hasRoom = Math.max(0, from - beside) >= start && Math.min(1, to + beside) <= end
    return sum + share * (hasRoom ? WHOLE + ROOM : WHOLE) * (to - from)
  }, 0)
}

/** How much lies between two shares of the side. */
function between(action: Float64Array, from: number, to: number): number {
  return action.reduce((sum, each, at) => {
    const [start, end] = [at / action.length, (at + 1) / action.length]
    const overlap = Math.max(0, Math.min(to, end) - Math.max(from, start))
    return sum + each * overlap * action.length
  }, 0)
}
