import { firstIndex } from './first-index.ts'
import { NO_PEOPLE, showsPeople, type ForPeople } from './heads.ts'
import { likenessBetween } from './likeness.ts'
import type { Moment } from './types.ts'

/** A passage of the source. */
export interface Passage {
  readonly startMs: number
  readonly durationMs: number
}

/** A passage is good from here: nearly all of it is lively, and nothing is wrong with it. */
export const GOOD = 0.62

/** Longer passages may have cuts in them. */
const SHORT_MS = 6500
/** At the ends of a long passage a cut is a flash. */
const END_MS = 1200
const CROSSED = 0.7
const FLASHED = 0.2
const BARE = 1
const BARE_IN_LONG = 0.3
/** What a passage that is all black loses: all else in a source is worth more. */
const BLACK = 30
/** A black second is as bad as this many seconds of a title. */
const TITLES = 10
/** How much of a short passage may be unseen by the looks; a cut can be there. */
const UNKNOWN_MS = 60
const UNKNOWN = 0.3
/** Passages that begin with a shot feel right. */
const BEGINS_SHOT = 0.04
/** Holes wider than this hide more than a cut. */
const CUT_HOLE_MS = 600
/** What is lost where a head is badly framed, beside the worth of people. */
const BADLY_FRAMED = 0.25
/** Pictures nearer than this look the same in a GIF. */
const ALIKE_BELOW = 0.6
/** Pictures nearer than this fade into each other as a ghost: a person has only moved. */
const ALIKE_JOINED_BELOW = 1.2

/** How what ends may lead to what begins; unknown where a search has not seen both. */
type Joint = 'cut' | 'fade' | 'unknown'

/** Starts from a place of a list on, up to another one without it. */
interface StartRun {
  readonly from: number
  readonly to: number
}

/** Says what passages are worth and which look alike; worths are remembered. */
export interface Weigher {
  worth(startMs: number, durationMs: number): number
  /** The same for many starts, which are in order of time. */
  worthsAt(starts: Float64Array, durationMs: number): Float64Array
  /** For which share of each people are seen, well framed; null where they are seen nowhere. */
  peopleAt(starts: Float64Array, durationMs: number): Float64Array | null
  /** How much of it is a title or black, which counts more; 0 is none. */
  bareness(startMs: number, durationMs: number): number
  /** Whether a cut of the source is in it. */
  hasCut(startMs: number, durationMs: number): boolean
  areAlike(a: Passage, b: Passage): boolean
  /** Whether the end of a passage may fade into the beginning of the next one. */
  jointOf(endMs: number, nextMs: number): Joint
  /** Those runs of starts, by their places in order of time, whose passages look like this one. */
  alikeAt(starts: Float64Array, durationMs: number, other: Passage): readonly StartRun[]
}

/** @param moments in order of time, of which none ends after a later one */
export function createWeigher(
  moments: readonly Moment[],
  forPeople: Omit<ForPeople, 'isClose'> = NO_PEOPLE,
): Weigher {
  const known = new Map<number, Map<number, number>>()
  const lookAlike = new Map<number, readonly number[]>()
  // No face is worth a fault.
  const faultsBy = 1 + forPeople.worth
  const stretches = moments.map((moment, index) => ({
    ...stretchOf(moment, index, moments),
    value: valueOf(moment) + (isOfPeople(moment) ? worthOfPeople(moment, forPeople) : 0),
  }))
  return {
    worth: (startMs, durationMs) => {
      const ofLength = known.get(durationMs) ?? new Map<number, number>()
      known.set(durationMs, ofLength)
      const before = ofLength.get(startMs)
      if (before !== undefined) return before
      const worth = worthOf(stretches, indexAt(moments, startMs), startMs, durationMs, faultsBy)
      ofLength.set(startMs, worth)
      return worth
    },
    worthsAt: (starts, durationMs) => {
      let first = 0
      return starts.map((startMs) => {
        while (first < stretches.length && (stretches[first]?.endMs ?? 0) <= startMs) first += 1
        return worthOf(stretches, first, startMs, durationMs, faultsBy)
      })
    },
    peopleAt: (starts, durationMs) => {
      if (!moments.some(isOfPeople)) return null
      let first = 0
      return starts.map((startMs) => {
        while (first < stretches.length && (stretches[first]?.endMs ?? 0) <= startMs) first += 1
        return peopleIn(moments, first, startMs, durationMs)
      })
    },
    bareness: (startMs, durationMs) => {
      const { blackMs, titleMs } = bareIn(moments, startMs, startMs + durationMs)
      return TITLES * blackMs + titleMs
    },
    hasCut: (startMs, durationMs) =>
      stretches.some((each) => each.startsShot && isCutIn(each, startMs, startMs + durationMs)),
    jointOf: (endMs, nextMs) =>
      jointBetween(moments[indexAt(moments, endMs - 1)], moments[indexAt(moments, nextMs)]),
    areAlike: (a, b) => likenessBetween(looksOf(moments, a), looksOf(moments, b)) < ALIKE_BELOW,
    alikeAt: (starts, durationMs, other) => {
      const at = indexAt(moments, other.startMs + other.durationMs / 2)
      const alike = lookAlike.get(at) ?? alikeTo(moments, moments[at]?.likeness ?? '')
      lookAlike.set(at, alike)
      return alike.flatMap((index) => {
        const isFrom = (endMs: number) => (startMs: number) => startMs + durationMs / 2 >= endMs
        const from = firstIndex(starts, isFrom(stretches[index - 1]?.endMs ?? -Infinity))
        const to = firstIndex(starts, isFrom(stretches[index]?.endMs ?? -Infinity))
        return from < to ? { from, to } : []
      })
    },
  }
}

/**
 * A face that fades into anything, or out of it, is a ghost: half of it lies over a wall, a sky or
 * another face. So is what fades into its own likeness.
 */
function jointBetween(a: Moment | undefined, b: Moment | undefined): Joint {
  if (a === undefined || b === undefined) return 'unknown'
  if (isOfPeople(a) || isOfPeople(b)) return 'cut'
  if (a.likeness === '' || b.likeness === '') return 'unknown'
  return likenessBetween(a.likeness, b.likeness) < ALIKE_JOINED_BELOW ? 'cut' : 'fade'
}

function worthOfPeople(
  { fault = 0 }: Moment,
  { worth, isAnyFrame }: Omit<ForPeople, 'isClose'>,
): number {
  return worth * (isAnyFrame ? 1 : 1 - fault) - BADLY_FRAMED * fault
}

function isOfPeople(moment: Moment): boolean {
  return showsPeople(moment) && !['black', 'title'].includes(moment.shows)
}

/** @param first the first moment that ends after the start */
function peopleIn(
  moments: readonly Moment[],
  first: number,
  startMs: number,
  durationMs: number,
): number {
  const endMs = startMs + durationMs
  let sum = 0
  for (let at = first; at < moments.length; at += 1) {
    const moment = moments[at]
    if (moment === undefined || moment.atMs >= endMs) break
    if (!isOfPeople(moment)) continue
    const overlapMs =
      Math.min(endMs, moment.atMs + moment.lengthMs) - Math.max(startMs, moment.atMs)
    sum += overlapMs * (1 - (moment.fault ?? 0))
  }
  return sum / durationMs
}

/** What is asked of a moment for each of a million passages. */
interface WeighedStretch {
  readonly atMs: number
  readonly endMs: number
  readonly value: number
  readonly shows: Moment['shows']
  readonly startsShot: boolean
  /** Where the hole before it begins, in which its cut is. */
  readonly holeMs: number
}

function stretchOf(
  moment: Moment,
  index: number,
  moments: readonly Moment[],
): Omit<WeighedStretch, 'value'> {
  const { atMs, lengthMs, shows, startsShot } = moment
  const before = moments[index - 1]
  const endBefore = before === undefined ? atMs : before.atMs + before.lengthMs
  return {
    atMs,
    endMs: atMs + lengthMs,
    shows,
    startsShot,
    holeMs: atMs - endBefore < CUT_HOLE_MS ? endBefore : atMs,
  }
}

/** @param first the first stretch that ends after the start */
function worthOf(
  stretches: readonly WeighedStretch[],
  first: number,
  startMs: number,
  durationMs: number,
  faultsBy: number,
): number {
  const endMs = startMs + durationMs
  const isShort = durationMs <= SHORT_MS
  let sum = 0
  let seenMs = 0
  let faults = 0
  let blackMs = 0
  let titleMs = 0
  for (let at = first; at < stretches.length; at += 1) {
    const stretch = stretches[at]
    if (stretch === undefined || stretch.atMs >= endMs + CUT_HOLE_MS) break
    const overlapMs = Math.min(endMs, stretch.endMs) - Math.max(startMs, stretch.atMs)
    if (overlapMs > 0) {
      sum += overlapMs * stretch.value
      if (stretch.shows !== 'unseen') seenMs += overlapMs
      if (stretch.shows === 'black') blackMs += overlapMs
      if (stretch.shows === 'title') titleMs += overlapMs
    }
    if (!stretch.startsShot) continue
    faults += faultOf(stretch, startMs, endMs, isShort)
    if (Math.abs(stretch.atMs - startMs) < 80) faults -= BEGINS_SHOT
  }
  if (isShort && durationMs - seenMs > UNKNOWN_MS) faults += UNKNOWN
  if (blackMs + titleMs > 0) faults += isShort ? BARE : BARE_IN_LONG
  faults += BLACK * (blackMs / durationMs)
  return sum / durationMs - faultsBy * faults
}

/** How much of a stretch is black, and a title. */
function bareIn(
  moments: readonly Moment[],
  startMs: number,
  endMs: number,
): { readonly blackMs: number; readonly titleMs: number } {
  let [blackMs, titleMs] = [0, 0]
  for (let at = indexAt(moments, startMs); at < moments.length; at += 1) {
    const moment = moments[at]
    if (moment === undefined || moment.atMs >= endMs) break
    const overlapMs =
      Math.min(endMs, moment.atMs + moment.lengthMs) - Math.max(startMs, moment.atMs)
    if (moment.shows === 'black') blackMs += overlapMs
    if (moment.shows === 'title') titleMs += overlapMs
  }
  return { blackMs, titleMs }
}

/** Whether the cut before a stretch lies between two times. */
function isCutIn({ atMs, holeMs }: WeighedStretch, startMs: number, endMs: number): boolean {
  return startMs < atMs && endMs > holeMs + 1
}

/** What it costs that the cut before a stretch lies in the passage. */
function faultOf(
  stretch: WeighedStretch,
  startMs: number,
  endMs: number,
  isShort: boolean,
): number {
  if (!isCutIn(stretch, startMs, endMs)) return 0
  if (isShort) return CROSSED
  const { atMs, holeMs } = stretch
  return atMs - startMs < END_MS || endMs - holeMs < END_MS ? FLASHED : 0
}

function valueOf({ shows, score }: Moment): number {
  switch (shows) {
    case 'lively':
      return 0.55 + 0.45 * score
    case 'calm':
      return 0.3 + 0.2 * score
    case 'unseen':
      // Packets of nothing: most likely black, or a title.
      return score === 0 ? -0.3 : 0.1 + 0.35 * score
    case 'still':
      return 0.15 * score
    case 'dark':
    case 'soft':
      return 0.05
    case 'title':
    case 'black':
      return -1
  }
}

/** The places of the moments that look like this. */
function alikeTo(moments: readonly Moment[], looks: string): readonly number[] {
  return moments.flatMap(({ likeness }, at) =>
    likenessBetween(likeness, looks) < ALIKE_BELOW ? at : [],
  )
}

function looksOf(moments: readonly Moment[], { startMs, durationMs }: Passage): string {
  return looksAt(moments, startMs + durationMs / 2)
}

function looksAt(moments: readonly Moment[], atMs: number): string {
  return moments[indexAt(moments, atMs)]?.likeness ?? ''
}

/** The first moment that ends after a time. */
function indexAt(moments: readonly Moment[], atMs: number): number {
  return firstIndex(moments, (moment) => moment.atMs + moment.lengthMs > atMs)
}
