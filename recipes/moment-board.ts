import {
  lengthOf,
  MOST_BANNED,
  MOST_SHOWN,
  overlap,
  type ChosenMoment,
  type MomentChoice,
  type MomentRule,
  type Stretch,
} from './moment-choice.ts'
import { createWeigher, type Weigher } from './passage-worth.ts'
import type { Moment, TimelinePassage } from './types.ts'

/**
 * What a moment board chooses from. Everything on it is a function of this and of the choice, so
 * that each device proposes the same.
 */
export interface MomentBoard {
  readonly sourceDurationMs: number
  readonly moments: readonly Moment[]
  /** Where the server has taken pictures, in order: what is proposed lies around one of them. */
  readonly placesMs: readonly number[]
  readonly rule: MomentRule
  /** How many moments the edit shows by itself. */
  readonly usualCount: number
}

/** A stretch around one picture. */
export interface Candidate extends Stretch {
  readonly placeMs: number
  readonly worth: number
}

/** What the edit shows without a choice, as the first choice. */
export function choiceOf(timeline: readonly TimelinePassage[]): MomentChoice {
  return {
    shown: timeline.map(({ startMs, endMs }) => ({
      startMs: Math.floor(startMs),
      endMs: Math.floor(endMs),
      isLocked: false,
    })),
    banned: [],
  }
}

/** The best stretch of a length around each picture, in order of time. */
export function candidatesOf(board: MomentBoard, lengthMs: number): readonly Candidate[] {
  const weigher = createWeigher(board.moments)
  return board.placesMs.map((placeMs) => candidateAt(board, weigher, placeMs, lengthMs))
}

/** Shares of the length that may lie before the picture. */
const LEADS = [0.5, 0.2, 0.35, 0.65, 0.8] as const

function candidateAt(
  { sourceDurationMs, moments }: MomentBoard,
  weigher: Weigher,
  placeMs: number,
  lengthMs: number,
): Candidate {
  const latestMs = Math.max(0, Math.floor(sourceDurationMs - lengthMs))
  const inside = moments.find((each) => each.atMs <= placeMs && placeMs < each.atMs + each.lengthMs)
  const starts = [...LEADS.map((lead) => placeMs - lead * lengthMs), inside?.atMs ?? placeMs]
    .map((startMs) => Math.min(latestMs, Math.max(0, Math.floor(startMs))))
    .filter((startMs) => startMs <= placeMs && placeMs <= startMs + lengthMs)
  const [first = Math.min(latestMs, Math.floor(placeMs)), ...others] = starts
  const startMs = others.reduce(
    (best, each) =>
      weigher.worth(each, lengthMs) > weigher.worth(best, lengthMs) + 0.001 ? each : best,
    first,
  )
  const worth = weigher.worth(startMs, lengthMs)
  return { startMs, endMs: startMs + lengthMs, placeMs, worth }
}

/** Keeps a moment while others are replaced, or lets it go with them. */
export function withLock(choice: MomentChoice, index: number, isLocked: boolean): MomentChoice {
  return {
    ...choice,
    shown: choice.shown.map((each, at) => (at === index ? { ...each, isLocked } : each)),
  }
}

/** Shows a moment earlier or later in the edit, and keeps it; unchanged at either end. */
export function moved(choice: MomentChoice, index: number, to: number): MomentChoice {
  const one = choice.shown[index]
  if (one === undefined || to < 0 || to >= choice.shown.length) return choice
  const others = choice.shown.filter((_, at) => at !== index)
  return { ...choice, shown: others.toSpliced(to, 0, { ...one, isLocked: true }) }
}

/** The next best instead of a moment, after the worst the best again; null where there is none. */
export function swapped(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
): MomentChoice | null {
  const one = choice.shown[index]
  if (one === undefined) return null
  const others = choice.shown.filter((_, at) => at !== index)
  const worth = createWeigher(board.moments).worth(one.startMs, lengthOf(one))
  const ranked = candidatesOf(board, lengthOf(one))
    .filter((each) => isFree(each, [...others, ...choice.banned, one]))
    .toSorted((a, b) => b.worth - a.worth || a.startMs - b.startMs)
  const next =
    ranked.find(
      (each) => each.worth < worth || (each.worth === worth && each.startMs > one.startMs),
    ) ?? ranked[0]
  return next === undefined ? null : put(choice, index, next, one.isLocked)
}

/** Never proposes a moment again and shows the next best instead; null where there is none. */
export function withBan(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
): MomentChoice | null {
  const one = choice.shown[index]
  if (one === undefined || choice.banned.length >= MOST_BANNED) return null
  const next = swapped(board, withLock(choice, index, false), index)
  const banned = [...choice.banned, { startMs: one.startMs, endMs: one.endMs }]
  return next === null ? null : { ...next, banned: inOrder(banned) }
}

/** Lets a banned stretch be proposed again. */
export function withoutBan(choice: MomentChoice, stretch: Stretch): MomentChoice {
  return { ...choice, banned: choice.banned.filter((each) => each.startMs !== stretch.startMs) }
}

/** Shows what lies around a picture instead of a moment, and keeps it; null where that is taken. */
export function withPlace(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
  placeMs: number,
): MomentChoice | null {
  const one = choice.shown[index]
  if (one === undefined) return null
  const found = candidateAt(board, createWeigher(board.moments), placeMs, lengthOf(one))
  const others = choice.shown.filter((_, at) => at !== index)
  return isFree(found, [...others, ...choice.banned]) ? put(choice, index, found, true) : null
}

/**
 * Gives a moment own points, or adds one of them where `index` is null, and keeps it. Moments that
 * are not locked give way and fill the rest; what is banned within it is so no longer.
 */
export function withPoints(
  board: MomentBoard,
  choice: MomentChoice,
  index: number | null,
  points: Stretch,
): MomentChoice {
  const own: ChosenMoment = { startMs: points.startMs, endMs: points.endMs, isLocked: true }
  const banned = choice.banned.filter((each) => !overlap(each, own))
  const replaced = index === null ? withAdded(choice.shown, own) : choice.shown.with(index, own)
  const shown = replaced.filter((each) => each === own || each.isLocked || !overlap(each, own))
  return fitted(board, { shown, banned })
}

/** Others in the place of all moments that are not locked: by a seed, and never banned ones. */
export function surprised(board: MomentBoard, choice: MomentChoice, seed: number): MomentChoice {
  const open = choice.shown.filter(({ isLocked }) => !isLocked)
  const longestMs = Math.max(0, ...open.map(lengthOf))
  const random = randomOf(seed)
  const drawn = candidatesOf(board, longestMs)
    .map((each) => ({ each, rank: each.worth + SURPRISE * random() }))
    .toSorted((a, b) => b.rank - a.rank)
  const taken: Stretch[] = choice.shown.filter(({ isLocked }) => isLocked)
  const found: Candidate[] = []
  for (const { each } of drawn)
    if (found.length < open.length && isFree(each, [...taken, ...choice.banned])) {
      found.push(each)
      taken.push(each)
    }
  if (found.length < open.length) return choice
  const next = [...inOrder(found)]
  return {
    ...choice,
    shown: choice.shown.map((each) => {
      const other = each.isLocked ? undefined : next.shift()
      return other === undefined ? each : inside(other, lengthOf(each))
    }),
  }
}

/** How much chance may weigh against worth: good moments win, but not always the same ones. */
const SURPRISE = 0.5

/** A stretch of a shorter length around the picture of a candidate. */
function inside({ startMs, endMs, placeMs }: Candidate, lengthMs: number): ChosenMoment {
  const latestMs = endMs - lengthMs
  const from = Math.min(latestMs, Math.max(startMs, Math.floor(placeMs - lengthMs / 2)))
  return { startMs: from, endMs: from + lengthMs, isLocked: false }
}

/**
 * The choice with moments that are not locked made longer or shorter, fewer or more, so that all
 * add up; where locked ones alone are too long or fill it nearly, they stay and it does not fit.
 */
function fitted(board: MomentBoard, choice: MomentChoice): MomentChoice {
  const { rule, usualCount } = board
  const net = (each: Stretch): number => lengthOf(each) - rule.overlapMs
  const locked = choice.shown.filter(({ isLocked }) => isLocked)
  const restMs = rule.lengthMs - rule.overlapMs - locked.reduce((sum, each) => sum + net(each), 0)
  const leastMs = rule.minMs - rule.overlapMs
  const usualMs = (rule.lengthMs - rule.overlapMs) / usualCount
  const most = Math.min(Math.floor(restMs / leastMs), MOST_SHOWN - locked.length)
  const count = most < 1 ? 0 : Math.min(most, Math.max(1, Math.round(restMs / usualMs)))
  const openMs = restMs + count * rule.overlapMs
  const lengths = Array.from(
    { length: count },
    (_, index) => Math.floor(((index + 1) * openMs) / count) - Math.floor((index * openMs) / count),
  )
  return { ...choice, shown: filled(board, choice, lengths) }
}

/** The locked moments, and between them so many others of these lengths, those there are first. */
function filled(
  board: MomentBoard,
  { shown, banned }: MomentChoice,
  lengths: readonly number[],
): readonly ChosenMoment[] {
  const weigher = createWeigher(board.moments)
  const worthOf = (each: Stretch): number => weigher.worth(each.startMs, lengthOf(each))
  const open = shown.filter(({ isLocked }) => !isLocked)
  const kept = new Set(open.toSorted((a, b) => worthOf(b) - worthOf(a)).slice(0, lengths.length))
  let result = shown.filter((each) => each.isLocked || kept.has(each))
  while (result.filter(({ isLocked }) => !isLocked).length < lengths.length) {
    const found = bestFree(board, lengths[0] ?? 0, [...result, ...banned])
    if (found === null) return result
    result = withAdded(result, found)
  }
  const left = [...lengths]
  for (const [index, each] of result.entries()) {
    const lengthMs = each.isLocked ? undefined : left.shift()
    if (lengthMs === undefined) continue
    const others = [...result.filter((other) => other !== each), ...banned]
    const same = resized(board, each, lengthMs)
    const found = isFree(same, others) ? same : bestFree(board, lengthMs, others)
    if (found !== null) result[index] = found
  }
  return result
}

/** The same moment with another length around its middle. */
function resized(board: MomentBoard, one: ChosenMoment, lengthMs: number): ChosenMoment {
  const latestMs = Math.max(0, Math.floor(board.sourceDurationMs - lengthMs))
  const middleMs = (one.startMs + one.endMs) / 2
  const startMs = Math.min(latestMs, Math.max(0, Math.floor(middleMs - lengthMs / 2)))
  return { startMs, endMs: startMs + lengthMs, isLocked: false }
}

function bestFree(
  board: MomentBoard,
  lengthMs: number,
  taken: readonly Stretch[],
): ChosenMoment | null {
  const [best] = candidatesOf(board, lengthMs)
    .filter((each) => isFree(each, taken))
    .toSorted((a, b) => b.worth - a.worth || a.startMs - b.startMs)
  return best === undefined ? null : { startMs: best.startMs, endMs: best.endMs, isLocked: false }
}

function isFree(stretch: Stretch, taken: readonly Stretch[]): boolean {
  return taken.every((each) => !overlap(each, stretch))
}

function put(
  choice: MomentChoice,
  index: number,
  { startMs, endMs }: Stretch,
  isLocked: boolean,
): MomentChoice {
  const one = { startMs, endMs, isLocked }
  return { ...choice, shown: choice.shown.map((each, at) => (at === index ? one : each)) }
}

/** Before the first moment that begins later. */
function withAdded(shown: readonly ChosenMoment[], one: ChosenMoment): ChosenMoment[] {
  const at = shown.findIndex(({ startMs }) => startMs > one.startMs)
  return shown.toSpliced(at < 0 ? shown.length : at, 0, one)
}

function inOrder<T extends Stretch>(stretches: readonly T[]): readonly T[] {
  return stretches.toSorted((a, b) => a.startMs - b.startMs)
}

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
  }
}
