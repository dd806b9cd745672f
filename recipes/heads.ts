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

/** Which share of the heads stands where no one who frames a picture puts them. */
export function badlyFramed({ heads }: Pick<Moment, 'heads'>): number {
  const all = readHeads(heads)
  return all.length === 0 ? 0 : all.filter(isBadlyFramed).length / all.length
}

/** A head whose middle is lower has bodies without heads above it. */
const LOW = 0.66

/**
 * Cut by an edge of the picture, or low in it. What is above a head is hair, which pictures cut in
 * most close-ups.
 */
function isBadlyFramed({ left, top, right, bottom }: PictureArea): boolean {
  return left <= 0 || right >= 1 || bottom >= 1 || (top + bottom) / 2 > LOW
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
    .map(({ left, top, right, bottom }) => {
      const [width, height] = [right - left, bottom - top]
      return written({
        left: left - BESIDE.aside * width,
        top: top - BESIDE.above * height,
        right: right + BESIDE.aside * width,
        bottom: bottom + BESIDE.below * height,
      })
    })
    .join('')
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
    .map(({ left, top, right, bottom }) => {
      const [x, y] = [GONE * (right - left), GONE * (bottom - top)]
      return { left: left - x, top: top - y, right: right + x, bottom: bottom + y }
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
  let [seenMs, peopleMs] = [0, 0]
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
    if (showsPeople(moment)) peopleMs += shownMs
  }
  return seenMs === 0 ? 0 : peopleMs / seenMs
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
}

export const NO_PEOPLE: ForPeople = { worth: 0, isClose: false }
/** The least first. */
const STEPS: readonly ForPeople[] = [
  ...[0.15, 0.3, 0.6, 0.9, 1.2].map((worth) => ({ worth, isClose: false })),
  ...[0.9, 2].map((worth) => ({ worth, isClose: true })),
]

/** Shares are no more exact than this, because faces are looked for once a second. */
export const UNSURE = 0.02

/**
 * The first choice that shows people for the share that is wanted, or the one that comes nearest.
 * @param choose chooses passages; its argument says how much it gives for people
 * @param shown the passages as they are seen, where that is less than what was chosen
 */
export function keepingPeople<T extends { readonly startMs: number; readonly durationMs: number }>(
  moments: readonly Moment[],
  choose: (people: ForPeople) => readonly T[],
  shown: (chosen: readonly T[]) => Passages = (chosen) => chosen,
): readonly T[] {
  const share = wantedShare(moments)
  let best = choose(NO_PEOPLE)
  if (share === 0) return best
  const wanted = Math.min(1, share + UNSURE)
  let bestShare = shareWithPeople(moments, shown(best))
  for (const step of STEPS) {
    if (bestShare >= wanted) break
    const other = choose(step)
    const otherShare = shareWithPeople(moments, shown(other))
    if (otherShare > bestShare) [best, bestShare] = [other, otherShare]
  }
  return best
}
