import { firstIndex } from './first-index.ts'
import {
  keepingPeople,
  MOST_PEOPLE,
  shareWithPeople,
  sharesOf,
  wantedShare,
  withFraming,
  type ForPeople,
} from './heads.ts'
import { bestOrder } from './passage-order.ts'
import { startsBeside } from './passage-starts.ts'
import { createWeigher, GOOD, type Passage, type Weigher } from './passage-worth.ts'
import type { Moment } from './types.ts'

/**
 * Fades and logos live at both ends of a scene; this share of each end is left out while there is
 * enough else.
 */
const EDGE_SHARE = 0.03

/**
 * Picks passages of the given lengths that do not overlap, well spaced, in order of time. Passage i
 * of the answer has `durationsMs[i]`. When the source is not long enough for all of them, one
 * passage with all of the source is returned: nothing is ever repeated or held. Deterministic for
 * the same input.
 * @param finer other lengths, each time more and shorter ones, for a source in which passages of
 * `durationsMs` cannot stand beside what is black or a title, or do not fit into the shots of
 * people; the answer then has those of one list
 */
export function pickPassages(
  sourceDurationMs: number,
  moments: readonly Moment[],
  durationsMs: readonly number[],
  finer: readonly (readonly number[])[] = [],
): readonly Passage[] {
  const framed = withFraming(moments)
  const keepingIn = (lengthsMs: readonly number[]): readonly Passage[] =>
    keepingPeople(framed, (people) => pickFor(people, sourceDurationMs, framed, lengthsMs, finer))
  const usual = keepingIn(durationsMs)
  const wanted = shareWithPeople(moments) - NEARLY
  const share = shareWithPeople(moments, usual)
  const others = finer.filter((lengthsMs) => sumOf(lengthsMs) < sourceDurationMs)
  if (share >= wanted || others.length === 0) return usual
  const fits = others.find((lengthsMs) => {
    const most = pickFor(MOST_PEOPLE, sourceDurationMs, framed, lengthsMs, finer)
    return shareWithPeople(moments, most) >= wanted
  })
  const other = keepingIn(fits ?? others.at(-1) ?? durationsMs)
  return shareWithPeople(moments, other) > share ? other : usual
}

/**
 * The passages may show people for this much less time than the source does before shorter ones are
 * tried.
 */
const NEARLY = 0.02

/**
 * The same for one share of what an edit shows, where `keepingPeople` weighs all of it.
 */
export function pickFor(
  people: ForPeople,
  sourceDurationMs: number,
  moments: readonly Moment[],
  durationsMs: readonly number[],
  finer: readonly (readonly number[])[] = [],
): readonly Passage[] {
  const total = sumOf(durationsMs)
  if (durationsMs.length === 0 || total >= sourceDurationMs)
    return [{ startMs: 0, durationMs: sourceDurationMs }]
  if (moments.length === 0) return evenly(usableRange(sourceDurationMs, total), durationsMs)
  const wanted = people.isClose ? wantedShare(moments) : 0
  return pickBest(sourceDurationMs, moments, [durationsMs, ...finer], {
    weigher: createWeigher(moments, people),
    missing: (passages) =>
      wanted === 0 ? 0 : Math.max(0, wanted - NEARLY - sharesOf(moments, passages).framed),
  })
}

/** How passages are compared. */
interface Taste {
  readonly weigher: Weigher
  /** The share of time for which people are missing in them, as far as that counts. */
  readonly missing: (passages: readonly Passage[]) => number
}

/** @param lists the lengths of `pickPassages`, the usual ones first */
function pickBest(
  sourceDurationMs: number,
  moments: readonly Moment[],
  lists: readonly (readonly number[])[],
  taste: Taste,
): readonly Passage[] {
  const { weigher } = taste
  const [usualMs = []] = lists
  const range = usableRange(sourceDurationMs, sumOf(usualMs))
  const even = evenly(range, usualMs)
  const usual = bestIn(even, startsIn(range, moments, even), range, GAPS, taste)
  const attempts = lists.filter((each) => sumOf(each) < sourceDurationMs)
  // No logo at an end of the source is as bad as black.
  const all = { fromMs: 0, toMs: sourceDurationMs }
  let best = { passages: usual, bare: barenessOf(usual, weigher) }
  for (const lengths of attempts) {
    if (best.bare === 0) break
    const others = evenly(all, lengths)
    const starts = [...startsIn(all, moments, others), ...startsBeside(moments, lengths)]
    const inOrder = [...new Set(starts)].toSorted((a, b) => a - b)
    const passages = bestIn(others, inOrder, all, [0], taste)
    const bare = barenessOf(passages, weigher)
    if (bare < best.bare) best = { passages, bare }
  }
  return best.passages
}

/**
 * The best passages of these lengths: as far apart as they can be while all are good and no people
 * are missing.
 */
function bestIn(
  even: readonly Passage[],
  starts: readonly number[],
  range: Range,
  gaps: readonly number[],
  taste: Taste,
): readonly Passage[] {
  const { weigher } = taste
  const total = sumOf(even.map(({ durationMs }) => durationMs))
  const freeMs = (range.toMs - range.fromMs - total) / even.length
  const times = Float64Array.from(starts)
  const worths = new Map(
    even.map(({ durationMs }) => [durationMs, weigher.worthsAt(times, durationMs)]),
  )
  const more = moreInPlace(even, times, weigher)
  let best: readonly Passage[] = even
  for (const share of gaps) {
    const found = differing(taste, (shown) => {
      const own = shown.length === 0 ? worths : withoutShown(worths, times, shown, weigher)
      return bestOrder(times, even, share * freeMs, inPlace(own, even, more))
    })
    // The closer passages stand for it, the less is a face at an end worth.
    const value = (passages: readonly Passage[]): number =>
      worthOf(passages, weigher) + share * endsOf(passages, weigher)
    const isRight = best !== even && areRight(best, taste)
    const endsBetter = lastOf(found, weigher) > lastOf(best, weigher)
    const isBetter = value(found) > value(best) + CLEARLY && (endsBetter || !isRight)
    if (best === even || isBetter) best = found
    if (areRight(best, taste) && lastOf(best, weigher) > 0) break
  }
  return best
}

function areRight(passages: readonly Passage[], { weigher, missing }: Taste): boolean {
  return passages.every((passage) => isGood(passage, weigher)) && missing(passages) === 0
}

/** For which share of a passage people are seen, well framed; 1 where they are seen nowhere. */
function peopleIn(passage: Passage | undefined, weigher: Weigher): number {
  if (passage === undefined) return 1
  return weigher.peopleAt(Float64Array.of(passage.startMs), passage.durationMs)?.[0] ?? 1
}

function lastOf(passages: readonly Passage[], weigher: Weigher): number {
  return peopleIn(passages.at(-1), weigher)
}

function endsOf(passages: readonly Passage[], weigher: Weigher): number {
  return FIRST * peopleIn(passages[0], weigher) + LAST * lastOf(passages, weigher)
}

/** A face in the last passage, which a viewer is left with, is worth this much more. */
const LAST = 1
/** So is one in the first, by which a viewer stays. */
const FIRST = 0.4

/** What the first and the last passage are worth more at all starts, for a face in them. */
function moreInPlace(
  even: readonly Passage[],
  starts: Float64Array,
  weigher: Weigher,
): readonly (Float64Array | null)[] {
  return even.map(({ durationMs }, index) => {
    const more = index === even.length - 1 ? LAST : index === 0 ? FIRST : 0
    const people = more === 0 ? null : weigher.peopleAt(starts, durationMs)
    return people?.map((share) => more * share) ?? null
  })
}

/** What each of the passages is worth at all starts. */
function inPlace(
  worths: Worths,
  even: readonly Passage[],
  more: readonly (Float64Array | null)[],
): readonly Float64Array[] {
  return even.map(({ durationMs }, index) => {
    const usual = worths.get(durationMs) ?? new Float64Array()
    const own = more[index]
    return own == null ? usual : usual.map((worth, at) => worth + (own[at] ?? 0))
  })
}

/** What passages are worth, by their lengths and at all starts. */
type Worths = ReadonlyMap<number, Float64Array>

/** The same where passages are worth nothing that look like one of these and are another one. */
function withoutShown(
  worths: Worths,
  starts: Float64Array,
  shown: readonly Passage[],
  weigher: Weigher,
): Worths {
  const own = shown.map(({ startMs }) => firstIndex(starts, (each) => each >= startMs))
  return new Map(
    [...worths].map(([durationMs, all]) => {
      const left = Float64Array.from(all)
      for (const other of shown)
        for (const { from, to } of weigher.alikeAt(starts, durationMs, other))
          left.fill(SHOWN_BEFORE, from, to)
      for (const at of own) if (at < all.length) left[at] = all[at] ?? 0
      return [durationMs, left]
    }),
  )
}

/** Shares of the even distance that passages are kept apart by, as long as all can be good. */
const GAPS = [0.7, 0.5, 0.35, 0.2, 0.1, 0] as const
/** Passages may stand closer together when they are worth this much more. */
const CLEARLY = 0.15
/** What a passage is worth that looks like one which is there already. */
const SHOWN_BEFORE = -10
/** How often passages that look alike are replaced. */
const REPLACEMENTS = 10

/** Each passage in the middle of its own share of the range. */
function evenly(range: Range, durationsMs: readonly number[]): Passage[] {
  const freeMs = (range.toMs - range.fromMs - sumOf(durationsMs)) / durationsMs.length
  const before = (index: number): number =>
    durationsMs.slice(0, index).reduce((sum, each) => sum + each + freeMs, range.fromMs)
  return durationsMs.map((durationMs, index) => ({
    startMs: Math.floor(before(index) + freeMs / 2),
    durationMs,
  }))
}

/** Times at which passages may begin: with stretches, so that they end with a shot, or evenly. */
function startsIn(
  range: Range,
  moments: readonly Moment[],
  even: readonly Passage[],
): readonly number[] {
  const durations = [...new Set(even.map(({ durationMs }) => Math.ceil(durationMs)))]
  const shotEnds = moments.flatMap(({ atMs, lengthMs }, index) => {
    const next = moments[index + 1]
    const goesOn = next !== undefined && !next.startsShot && next.atMs - atMs - lengthMs < 2
    return goesOn ? [] : [atMs + lengthMs]
  })
  const gridMs = (range.toMs - range.fromMs) / GRID
  const free = [
    ...moments.map(({ atMs }) => atMs),
    ...shotEnds.flatMap((endMs) => durations.map((durationMs) => endMs - durationMs)),
    ...Array.from({ length: GRID }, (_, index) => Math.floor(range.fromMs + index * gridMs)),
  ].filter((startMs) => startMs >= range.fromMs && startMs < range.toMs)
  return [...new Set([...free, ...even.map(({ startMs }) => startMs)])].toSorted((a, b) => a - b)
}

/** Places of a source of which little is known. */
const GRID = 300

/** Passages of which no two look alike, as long as the source has other good ones. */
function differing(
  { weigher, missing }: Taste,
  pick: (banned: readonly Passage[]) => readonly Passage[],
): readonly Passage[] {
  const shown: Passage[] = []
  let found = pick(shown)
  for (let round = 0; round < REPLACEMENTS; round += 1) {
    const first = found.find((passage, index) =>
      found.slice(index + 1).some((other) => weigher.areAlike(passage, other)),
    )
    if (first === undefined) return found
    shown.push(first)
    const other = pick(shown)
    if (!other.every((passage) => isGood(passage, weigher)) || missing(other) > missing(found))
      return found
    found = other
  }
  return found
}

function isGood({ startMs, durationMs }: Passage, weigher: Weigher): boolean {
  return weigher.worth(startMs, durationMs) >= GOOD
}

function worthOf(passages: readonly Passage[], weigher: Weigher): number {
  return sumOf(passages.map(({ startMs, durationMs }) => weigher.worth(startMs, durationMs)))
}

function barenessOf(passages: readonly Passage[], weigher: Weigher): number {
  return sumOf(passages.map(({ startMs, durationMs }) => weigher.bareness(startMs, durationMs)))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0)
}

interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** Where edits may begin and end that take `neededMs` of a source. */
export function usableRange(durationMs: number, neededMs: number): Range {
  const edgeMs = Math.max(0, Math.min(durationMs * EDGE_SHARE, (durationMs - neededMs) / 2))
  return { fromMs: edgeMs, toMs: durationMs - edgeMs }
}
