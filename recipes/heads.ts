import type { FaceTrack } from './face-cover/types.ts'
import { digitOf } from './likeness.ts'
import type { Moment } from './types.ts'

/** A part of a picture, as shares of its sides: 0 is left or top, 1 right or bottom. */
export interface PictureArea {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What a head has beside its face, as shares of the face: hair, ears and chin. */
const BESIDE = { above: 0.45, aside: 0.25, below: 0.12 } as const

/** A head whose middle is lower has bodies without heads above it. */
const LOW = 0.66
/** Higher faces are close-ups, which end at the forehead in many films. */
const CLOSE_UP = 0.5
/** A face is whole, but the picture ends beside its ear or in its neck. */
const TIGHT = 0.3

/** Whether an edge of the picture cuts a face, and not only the hair around it. */
export function isSliced({ left, top, right, bottom }: PictureArea): boolean {
  return [left, 1 - right, 1 - bottom, bottom < CLOSE_UP ? top : 0].some(isCutSide)
}

/** How badly the picture frames the worst of its heads: 0 all are whole, 1 a face is cut. */
export function badlyFramed({ heads }: Pick<Moment, 'heads'>): number {
  return Math.max(0, ...readHeads(heads).map(faultOfHead))
}

/** What is above a head is hair, which pictures cut in most close-ups. */
export function faultOfHead(head: PictureArea): number {
  const { left, top, right, bottom } = head
  if (isSliced(head) || (top + bottom) / 2 > LOW) return 1
  return Math.min(left, 1 - right, 1 - bottom) <= 0 ? TIGHT : 0
}

/** Where fewer moments with people have all faces whole, cut ones are how the film is. */
const USUAL = 0.2

/**
 * The same moments with `fault` where a face is seen, 0 where the film has hardly any that are
 * better. Those that have it keep it.
 * @param framed says it of one moment
 */
export function withFraming(
  moments: readonly Moment[],
  framed: (moment: Moment) => number = badlyFramed,
): readonly Moment[] {
  if (moments.some(({ fault }) => fault !== undefined)) return moments
  const faults = new Map(moments.filter(showsPeople).map((each) => [each, framed(each)]))
  const whole = [...faults.values()].filter((fault) => fault < 1)
  const hasOthers = whole.length >= USUAL * faults.size
  return moments.map((moment) => {
    const fault = faults.get(moment)
    return fault === undefined ? moment : { ...moment, fault: hasOthers ? fault : 0 }
  })
}

/** The face in a head that lies within the picture: what `BESIDE` says, taken away again. */
export function faceIn({ left, top, right, bottom }: PictureArea): PictureArea {
  const width = (right - left) / (1 + 2 * BESIDE.aside)
  const height = (bottom - top) / (1 + BESIDE.above + BESIDE.below)
  return {
    left: left + BESIDE.aside * width,
    top: top + BESIDE.above * height,
    right: right - BESIDE.aside * width,
    bottom: bottom - BESIDE.below * height,
  }
}

/** Hexadecimal digits of one side, and its largest value. */
const DIGITS = 2
const MOST = 255
/**
 * Of a side where the face is cut: one step inside of the edge, where no other side lies. One on
 * the edge only says that hair, ear or neck reach beyond it, as heads of earlier searches do.
 */
const CUT_SIDE = 1 / MOST
/** A face that ends nearer to an edge is cut by it. */
const AT_EDGE = 0.004
/** The most heads that are kept, the largest ones: more would say nothing new of where to look. */
const MOST_HEADS = 12

/**
 * The heads around faces for `Moment.heads`: eight hexadecimal digits for each, which are its left,
 * top, right and bottom; '' where there is no face.
 */
export function writeHeads(faces: readonly PictureArea[]): string {
  const area = ({ left, top, right, bottom }: PictureArea): number =>
    (right - left) * (bottom - top)
  return faces
    .toSorted((a, b) => area(b) - area(a))
    .slice(0, MOST_HEADS)
    .map((face) => {
      const { left, top, right, bottom } = face
      const [width, height] = [right - left, bottom - top]
      const head = {
        left: left - BESIDE.aside * width,
        top: top - BESIDE.above * height,
        right: right + BESIDE.aside * width,
        bottom: bottom + BESIDE.below * height,
      }
      return written(grown(face, head, (side) => side <= AT_EDGE))
    })
    .join('')
}

function isCutSide(side: number): boolean {
  return Math.abs(side - CUT_SIDE) < 1e-9
}

/** A larger area, cut at the sides at which the smaller one is. */
function grown(from: PictureArea, to: PictureArea, isCut: (side: number) => boolean): PictureArea {
  const side = (inner: number, outer: number): number => {
    if (isCut(inner)) return CUT_SIDE
    return outer < 1.5 * CUT_SIDE ? 0 : outer
  }
  return {
    left: side(from.left, to.left),
    top: side(from.top, to.top),
    right: 1 - side(1 - from.right, 1 - to.right),
    bottom: 1 - side(1 - from.bottom, 1 - to.bottom),
  }
}

/** How far a head may have moved to each side since it was seen, as a share of its own side. */
const GONE = 0.25

/**
 * The heads of one picture, and those of another one nearby that are not seen in it: a face in
 * profile is found in some pictures only. Those may have moved.
 * @param heads as `writeHeads` writes them
 */
export function withUnseen(heads: string, others: string): string {
  const seen = readHeads(heads)
  const unseen = readHeads(others)
    .filter((other) => !seen.some((one) => isOver(one, other)))
    .map((head) => {
      const { left, top, right, bottom } = head
      const [x, y] = [GONE * (right - left), GONE * (bottom - top)]
      const moved = { left: left - x, top: top - y, right: right + x, bottom: bottom + y }
      return grown(head, moved, isCutSide)
    })
  const room = Math.max(0, MOST_HEADS - seen.length)
  return `${heads}${unseen.slice(0, room).map(written).join('')}`
}

function isOver(a: PictureArea, b: PictureArea): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

function written({ left, top, right, bottom }: PictureArea): string {
  return [left, top, right, bottom].map(digitsOf).join('')
}

function digitsOf(share: number): string {
  const value = Math.round(MOST * Math.min(1, Math.max(0, share)))
  return value.toString(16).padStart(DIGITS, '0')
}

/** What `writeHeads` wrote; none where it is not known. */
export function readHeads(heads = ''): readonly PictureArea[] {
  return Array.from({ length: Math.floor(heads.length / (4 * DIGITS)) }, (_, index) => {
    const side = (number: number): number => {
      const at = (4 * index + number) * DIGITS
      return (16 * digitOf(heads.charCodeAt(at)) + digitOf(heads.charCodeAt(at + 1))) / MOST
    }
    return { left: side(0), top: side(1), right: side(2), bottom: side(3) }
  })
}

/** The heads that a search for moments saw, each as a track that rests as long as its moment. */
export function tracksOfHeads(moments: readonly Moment[]): readonly FaceTrack[] {
  return moments.flatMap(({ atMs, lengthMs, heads }, moment) =>
    readHeads(heads).map(({ left, top, right, bottom }, head) => ({
      id: `${moment}-${head}`,
      startMs: atMs,
      endMs: atMs + lengthMs,
      boxes: [{ atMs, x: left, y: top, width: right - left, height: bottom - top }],
      certainty: 1,
    })),
  )
}

/** Whether a face is seen in it. */
export function showsPeople({ heads = '' }: Pick<Moment, 'heads'>): boolean {
  return heads !== ''
}

/** Some passages; their order says nothing. */
type Passages = readonly { readonly startMs: number; readonly durationMs: number }[]

/**
 * The share (0 to 1) of the time searched for faces in which a face is seen: of all of a source, or
 * of passages of it. 0 where nothing was searched.
 */
export function shareWithPeople(
  moments: readonly Moment[],
  passages: Passages | null = null,
): number {
  return sharesOf(moments, passages).people
}

/** The same, and where heads are badly framed less: it counts as what the faults leave of it. */
export function sharesOf(
  moments: readonly Moment[],
  passages: Passages | null = null,
): { readonly people: number; readonly framed: number } {
  let [seenMs, peopleMs, framedMs] = [0, 0, 0]
  for (const moment of moments) {
    if (moment.heads === undefined) continue
    const endMs = moment.atMs + moment.lengthMs
    const shownMs =
      passages?.reduce(
        (sum, { startMs, durationMs }) =>
          sum + Math.max(0, Math.min(endMs, startMs + durationMs) - Math.max(startMs, moment.atMs)),
        0,
      ) ?? moment.lengthMs
    seenMs += shownMs
    if (!showsPeople(moment)) continue
    peopleMs += shownMs
    framedMs += shownMs * (1 - (moment.fault ?? 0))
  }
  const share = (ms: number): number => (seenMs === 0 ? 0 : ms / seenMs)
  return { people: share(peopleMs), framed: share(framedMs) }
}

/**
 * The share that edits are to show people for, where it can be had: a film of people is not sold by
 * its landscapes. Of forty edits of eight films, unseen eyes would post 27 so, and 20 where edits
 * had the share of the film (docs/bench-log/moments.md).
 */
export function wantedShare(moments: readonly Moment[]): number {
  return Math.min(1, 2.5 * shareWithPeople(moments))
}

/** How much is given for people. */
export interface ForPeople {
  /** What a second is worth more when a face is seen in it. */
  readonly worth: number
  /** Passages may stand close together, and look alike, where more people are seen so. */
  readonly isClose: boolean
  /** Also when they are badly framed. */
  readonly isAnyFrame: boolean
}

export const NO_PEOPLE: ForPeople = { worth: 0, isClose: false, isAnyFrame: false }
/** The least first. */
const STEPS: readonly ForPeople[] = [
  ...[0.15, 0.3, 0.6, 0.9, 1.2].map((worth) => ({ ...NO_PEOPLE, worth })),
  ...[0.9, 2].map((worth) => ({ worth, isClose: true, isAnyFrame: false })),
]
export const MOST_PEOPLE: ForPeople = { worth: 2, isClose: true, isAnyFrame: true }
/** Where people are not seen for the least share so. */
const STEPS_IN_ANY_FRAME: readonly ForPeople[] = [
  ...[0.6, 1.2].map((worth) => ({ worth, isClose: false, isAnyFrame: true })),
  MOST_PEOPLE,
]

/** Shares are no more exact than this, because faces are looked for once a second. */
export const UNSURE = 0.02

/** More than half of an edit of people shows them: also cut ones, rather than landscapes. */
const MOST_OF_IT = 0.6

/** The share that edits are to show people for in any frame, where it can be had. */
export function leastShare(moments: readonly Moment[]): number {
  return Math.min(wantedShare(moments), Math.max(shareWithPeople(moments), MOST_OF_IT))
}

/** To show people for the least share counts this much more than to frame them well. */
const LEAST_SHARE = 3

/**
 * The first choice that shows people, well framed, for the share that is wanted, or the one that
 * comes nearest: people in any frame for the least share, and for more of it only well framed ones,
 * because a face that is cut is worse than a landscape.
 * @param choose chooses passages; its argument says how much it gives for people
 * @param shown the passages as they are seen, where that is less than what was chosen
 */
export function keepingPeople<T extends { readonly startMs: number; readonly durationMs: number }>(
  moments: readonly Moment[],
  choose: (people: ForPeople) => readonly T[],
  shown: (chosen: readonly T[]) => Passages = (chosen) => chosen,
): readonly T[] {
  const least = leastShare(moments)
  let best = choose(NO_PEOPLE)
  if (least === 0) return best
  const wanted = Math.min(1, wantedShare(moments) + UNSURE)
  const sharesIn = (chosen: readonly T[]) => {
    const { people, framed } = sharesOf(moments, shown(chosen))
    return { people, framed, value: LEAST_SHARE * Math.min(people, least + UNSURE) + framed }
  }
  let shares = sharesIn(best)
  const tryStep = (step: ForPeople): void => {
    const other = choose(step)
    const others = sharesIn(other)
    if (others.value > shares.value) [best, shares] = [other, others]
  }
  for (const step of STEPS) if (shares.framed < wanted) tryStep(step)
  for (const step of STEPS_IN_ANY_FRAME) if (shares.people < least) tryStep(step)
  return best
}
