import { ACTION_COLUMNS, ACTION_ROWS } from './analysis-picture.ts'
import { faceIn, faultOfHead, isSliced, readHeads, type PictureArea } from './heads.ts'
import { digitOf } from './likeness.ts'
import type { Passage } from './passage-worth.ts'
import type { Size } from './picture.ts'
import type { Moment } from './types.ts'

/** Where a part of a picture lies: shares of the room beside it, 0 left or top, 1 the far end. */
interface CropPlace {
  readonly x: number
  readonly y: number
}

/** The best place, and what it shows of people. */
interface FoundPlace extends CropPlace {
  /** How many heads it cuts: 1 is one head for all of the passage. */
  readonly cutHeads: number
  /**
   * For which share of the passage a person is in it with all of a head; a head larger than the
   * part counts less.
   */
  readonly shown: number
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
  const [wide, high] = [part.width / whole.width, part.height / whole.height]
  const across: Looked[] = []
  const down: Looked[] = []
  const [columns, rows] = [new Float64Array(ACTION_COLUMNS), new Float64Array(ACTION_ROWS)]
  for (const { atMs, lengthMs, action, heads: seen } of moments) {
    const overlapMs = Math.min(startMs + durationMs, atMs + lengthMs) - Math.max(startMs, atMs)
    if (overlapMs <= 0) continue
    const heads = readHeads(seen)
    if (heads.length > 0) {
      const share = overlapMs / durationMs
      const isUnwanted = unwantedOf(heads)
      const weights = weightsOf(heads, isUnwanted)
      const looked = (low: 'left' | 'top', high: 'right' | 'bottom', room: number): Looked => ({
        share,
        weights,
        heads: heads.map((head, at) => ({
          ...wantedOf(head, low, high, room),
          isUnwanted: isUnwanted[at] === true,
        })),
      })
      across.push(looked('left', 'right', wide))
      down.push(looked('top', 'bottom', high))
    }
    if (action?.length !== ACTION_COLUMNS + ACTION_ROWS) continue
    for (const at of columns.keys())
      columns[at] = (columns[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(at))
    for (const at of rows.keys())
      rows[at] = (rows[at] ?? 0) + overlapMs * digitOf(action.charCodeAt(ACTION_COLUMNS + at))
  }
  const x = bestPlace(columns, across, wide, USUAL.x)
  const y = bestPlace(rows, down, high, USUAL.y)
  return {
    x,
    y,
    cutHeads: cutOf(across, x, wide) + cutOf(down, y, high),
    shown: Math.min(shownOf(across, x, wide), shownOf(down, y, high)),
  }
}

/**
 * How badly the best part of one moment frames its heads: 1 it cuts one or shows none, less where
 * it has room for a face only.
 */
export function faultOfCrop(whole: Size, part: Size, moment: Moment): number {
  const passage = { startMs: moment.atMs, durationMs: moment.lengthMs }
  const { cutHeads, shown } = placeToCrop(whole, part, passage, [moment])
  const isBad = readHeads(moment.heads).every((head) => faultOfHead(head) === 1)
  return isBad || cutHeads > 0 ? 1 : 1 - shown
}

/** The heads of one moment, and for which share of the passage they are there. */
interface Looked {
  readonly share: number
  readonly heads: readonly Wanted[]
  /** What each of them counts, 1 for the one that a viewer looks at. */
  readonly weights: readonly number[]
}

/** Larger heads count more: one that the picture cuts, or far behind, gives way to a near one. */
function weightsOf(
  heads: readonly PictureArea[],
  isUnwanted: readonly boolean[],
): readonly number[] {
  const areas = heads.map(({ left, top, right, bottom }) => (right - left) * (bottom - top))
  const most = Math.max(1e-9, ...areas.filter((_, at) => isUnwanted[at] !== true))
  return areas.map((each) => Math.min(1, each / most))
}

/** Faces that the picture itself cuts, where it shows others whole. */
function unwantedOf(heads: readonly PictureArea[]): readonly boolean[] {
  const sliced = heads.map(isSliced)
  return sliced.every(Boolean) ? sliced.map(() => false) : sliced
}

/** What should be seen of a head, on one side of the picture. */
interface Span {
  readonly from: number
  readonly to: number
  /** 1 all of the head is wanted; less where the part has room for the face only, or its middle. */
  readonly seen: number
}

interface Wanted extends Span {
  /** The picture cuts it, and others not: a part had better show nothing of it. */
  readonly isUnwanted: boolean
}

/** How much of what the part has room for beside a face is asked for its hair and chin. */
const HAIR = 0.5
/** What a head is worth that is larger than the part, and a face that is. */
const FACE_ALONE = 0.5
const MIDDLE_ALONE = 0.25
/** Of a face that is larger than the part, so much of the part is filled by its middle. */
const MIDDLE = 0.8
/** How far down a face the middle between eyes and mouth is. */
const EYES_TO_MOUTH = { left: 0.5, top: 0.42 } as const

/** @param share of the side that the part has */
function wantedOf(
  head: PictureArea,
  low: 'left' | 'top',
  high: 'right' | 'bottom',
  share: number,
): Span {
  if (share >= 1 || head[high] - head[low] <= share)
    return { from: head[low], to: head[high], seen: 1 }
  const face = faceIn(head)
  const spare = share - (face[high] - face[low])
  if (spare >= 0) {
    const shown = (HAIR * spare) / (head[high] - head[low] - face[high] + face[low])
    return {
      from: face[low] - shown * (face[low] - head[low]),
      to: face[high] + shown * (head[high] - face[high]),
      seen: FACE_ALONE,
    }
  }
  // Where the picture ends there, the face began above it.
  const from = head[low] < 0.01 ? face[low] / 2 : face[low]
  const middle = from + EYES_TO_MOUTH[low] * (face[high] - from)
  const half = (MIDDLE * share) / 2
  return { from: middle - half, to: middle + half, seen: MIDDLE_ALONE }
}

/** How much of a head is within a part, 0 to 1. */
function insideOf({ from, to }: Span, start: number, end: number): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from)) / Math.max(1e-9, to - from)
}

/** What of a head no one sees, or misses: there is air beside hair. */
const HARDLY = 0.05
const ALL = 1 - HARDLY

/** How many heads the part or the picture cuts at a place, each as often as it is there. */
function cutOf(looked: readonly Looked[], place: number, share: number): number {
  if (share >= 1) return 0
  const start = place * (1 - share)
  return sumOf(looked, ({ heads }) => {
    const cut = heads.filter((head) => {
      const inside = insideOf(head, start, start + share)
      return inside > HARDLY && (inside < ALL || head.isUnwanted)
    })
    return cut.length
  })
}

function shownOf(looked: readonly Looked[], place: number, share: number): number {
  const start = place * (1 - share)
  const seen = (head: Wanted): number => {
    if (head.isUnwanted || (share < 1 && insideOf(head, start, start + share) < ALL)) return 0
    return head.seen
  }
  return sumOf(looked, ({ heads }) => Math.max(...heads.map(seen)))
}

function sumOf(looked: readonly Looked[], of: (each: Looked) => number): number {
  return looked.reduce((sum, each) => sum + each.share * of(each), 0)
}

/**
 * A head that is cut outweighs all motion against a place, and a whole head outweighs it for a
 * place.
 */
const CUT = 100
const WHOLE = 10
/** To show nothing of a face that the picture cuts is worth less than to keep another one whole. */
const UNWANTED = 50
/** So does room beside a head, as a share of the head: heads move between two looks for them. */
const ROOM = 10
const BESIDE = 0.2
/** A body without a head is nearly as bad as a cut one: a person is to be seen. */
const BODY_ALONE = 90
/** A face without its head stands a little above the middle of the part. */
const CENTRED = 10
const CENTRE = 0.47

/** @param share of the side that the part has */
function bestPlace(
  action: Float64Array,
  looked: readonly Looked[],
  share: number,
  usual: number,
): number {
  if (share >= 1) return usual
  const all = action.reduce((sum, each) => sum + each, 0)
  const worth = (place: number): number => {
    const from = place * (1 - share)
    const seen = all === 0 ? 0 : between(action, from, from + share) / all
    return (
      seen -
      PULL * Math.abs(place - usual) +
      sumOf(looked, (each) => headsWorth(each, from, from + share))
    )
  }
  const places = Array.from({ length: STEPS + 1 }, (_, index) => index / STEPS)
  return [usual, ...places].reduce((best, place) => (worth(place) > worth(best) ? place : best))
}

/** What a part is worth for the heads of one moment. */
function headsWorth({ heads, weights }: Looked, start: number, end: number): number {
  const weightAt = (index: number): number => weights[index] ?? 1
  const wanted = heads.map((head, at) =>
    head.isUnwanted ? 0 : weightAt(at) * insideOf(head, start, end),
  )
  const most = Math.max(...wanted)
  return heads.reduce(
    (sum, head, at) => sum + weightAt(at) * headWorth(head, start, end),
    -BODY_ALONE * (1 - most),
  )
}

function headWorth(head: Wanted, start: number, end: number): number {
  const { from, to, seen, isUnwanted } = head
  const inside = insideOf(head, start, end)
  if (inside === 0) return 0
  if (isUnwanted) return -UNWANTED * (inside + 0.1)
  // Nearly whole, and hardly seen, is better than half.
  if (inside < 1 - 1e-6) return -CUT * (Math.min(inside, 1 - inside) + 0.1)
  const middle = (from + to) / 2
  if (seen < 1)
    return WHOLE * (to - from) - CENTRED * Math.abs(start + CENTRE * (end - start) - middle)
  const beside = BESIDE * (to - from)
  const hasRoom = Math.max(0, from - beside) >= start && Math.min(1, to + beside) <= end
  return (hasRoom ? WHOLE + ROOM : WHOLE) * (to - from)
}

/** How much lies between two shares of the side. */
function between(action: Float64Array, from: number, to: number): number {
  return action.reduce((sum, each, at) => {
    const [start, end] = [at / action.length, (at + 1) / action.length]
    const overlap = Math.max(0, Math.min(to, end) - Math.max(from, start))
    return sum + each * overlap * action.length
  }, 0)
}
