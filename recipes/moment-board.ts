import {
  candidateAt,
  candidatesOf,
  wantedAt,
  type Candidate,
  type MomentBoard,
  type WantedMoment,
} from './moment-candidates.ts'
import {
  lengthOf,
  MOST_BANNED,
  MOST_SHOWN,
  overlap,
  type ChosenMoment,
  type LengthRule,
  type MomentChoice,
} from './moment-choice.ts'
import type { Stretch } from './stretch.ts'
import { createWeigher } from './passage-worth.ts'

/** Keeps a moment while others are replaced, or lets it go with them. */
export function withLock(choice: MomentChoice, index: number, isLocked: boolean): MomentChoice {
  return {
    ...choice,
    shown: choice.shown.map((each, at) => (at === index ? { ...each, isLocked } : each)),
  }
}

/**
 * Shows a moment at another place of the edit, and keeps it; unchanged beyond either end, and where
 * a moment would have to show something that is banned to be as long as its new place.
 */
export function moved(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
  to: number,
): MomentChoice {
  const one = choice.shown[index]
  if (one === undefined || to < 0 || to >= choice.shown.length) return choice
  const others = choice.shown.filter((_, at) => at !== index)
  const shown = others
    .toSpliced(to, 0, { ...one, isLocked: true })
    .map((each, at) =>
      each === choice.shown[at] ? each : inSlot(board, each, board.rule.slots?.[at]),
    )
  return shown.every((each) => isFree(each, choice.banned)) ? { ...choice, shown } : choice
}

/** A moment as long as its place asks for; as it is where it already is, or nothing is asked. */
function inSlot(
  board: MomentBoard,
  one: ChosenMoment,
  slot: WantedMoment | undefined,
): ChosenMoment {
  if (slot === undefined) return one
  const lengthMs = Math.round(slot.lengthMs)
  if (Math.abs(lengthOf(one) - lengthMs) <= 1 && one.startMs >= slot.earliestMs) return one
  return { ...resized(board, one, slot), isLocked: one.isLocked }
}

/**
 * Shows the next best in the place of a moment; after the worst, the best again. Null where there
 * is none.
 */
export function swapped(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
): MomentChoice | null {
  const one = choice.shown[index]
  if (one === undefined) return null
  const others = choice.shown.filter((_, at) => at !== index)
  const worth = createWeigher(board.moments).worth(one.startMs, lengthOf(one))
  const ranked = candidatesOf(board, wantedAt(board, choice, index))
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

/**
 * Shows the stretch around a picture in the place of a moment, and locks it; null where it is
 * taken.
 */
export function withPlace(
  board: MomentBoard,
  choice: MomentChoice,
  index: number,
  placeMs: number,
): MomentChoice | null {
  const one = choice.shown[index]
  if (one === undefined) return null
  const weigher = createWeigher(board.moments)
  const found = candidateAt(board, weigher, placeMs, wantedAt(board, choice, index))
  const others = choice.shown.filter((_, at) => at !== index)
  return isFree(found, [...others, ...choice.banned]) ? put(choice, index, found, true) : null
}

/**
 * Gives a moment own points and keeps it, or adds one of them where `index` is null and the edit
 * has room for any number. Moments that are not locked give way and fill the rest; what is banned
 * within it is so no longer.
 */
export function withPoints(
  board: MomentBoard,
  choice: MomentChoice,
  index: number | null,
  points: Stretch,
): MomentChoice {
  const own: ChosenMoment = { startMs: points.startMs, endMs: points.endMs, isLocked: true }
  const banned = choice.banned.filter((each) => !overlap(each, own))
  const { rule } = board
  if (rule.slots !== null) return withSlot(board, { ...choice, banned }, index, own)
  const replaced = index === null ? withAdded(choice.shown, own) : choice.shown.with(index, own)
  const shown = replaced.filter((each) => each === own || each.isLocked || !overlap(each, own))
  return fitted(board, rule, { shown, banned })
}

/** Own points at one place of the edit; others that are not locked and overlap them give way. */
function withSlot(
  board: MomentBoard,
  choice: MomentChoice,
  index: number | null,
  own: ChosenMoment,
): MomentChoice {
  if (index === null) return choice
  const shown = choice.shown.with(index, own)
  for (const [at, each] of shown.entries()) {
    if (each === own || each.isLocked || !overlap(each, own)) continue
    const others = shown.filter((other) => other !== each)
    const found = bestFree(board, wantedAt(board, choice, at), [...others, ...choice.banned])
    if (found !== null) shown[at] = found
  }
  return { ...choice, shown }
}

/** Others in the place of all moments that are not locked: by a seed, and never banned ones. */
export function surprised(board: MomentBoard, choice: MomentChoice, seed: number): MomentChoice {
  const open = choice.shown.flatMap(({ isLocked }, index) =>
    isLocked ? [] : [wantedAt(board, choice, index)],
  )
  const longest: WantedMoment = {
    lengthMs: Math.max(0, ...open.map(({ lengthMs }) => lengthMs)),
    earliestMs: Math.max(0, ...open.map(({ earliestMs }) => earliestMs)),
  }
  const random = randomOf(seed)
  const drawn = candidatesOf(board, longest)
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
 * The choice with its unlocked moments made longer or shorter, fewer or more, so that all add up.
 * Where the locked moments alone are too long or nearly fill the edit, they stay, and the choice
 * does not fit.
 */
function fitted(board: MomentBoard, rule: LengthRule, choice: MomentChoice): MomentChoice {
  const { usualCount } = board
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

/**
 * The locked moments, and between them others of these lengths. Those that are there already come
 * first.
 */
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
    const found = bestFree(board, anywhere(lengths[0] ?? 0), [...result, ...banned])
    if (found === null) return result
    result = withAdded(result, found)
  }
  const left = [...lengths]
  for (const [index, each] of result.entries()) {
    const lengthMs = each.isLocked ? undefined : left.shift()
    if (lengthMs === undefined) continue
    const others = [...result.filter((other) => other !== each), ...banned]
    const same = resized(board, each, anywhere(lengthMs))
    const found = isFree(same, others) ? same : bestFree(board, anywhere(lengthMs), others)
    if (found !== null) result[index] = found
  }
  return result
}

function anywhere(lengthMs: number): WantedMoment {
  return { lengthMs, earliestMs: 0 }
}

/** The same moment with another length around its middle. */
function resized(board: MomentBoard, one: ChosenMoment, wanted: WantedMoment): ChosenMoment {
  const lengthMs = Math.round(wanted.lengthMs)
  const latestMs = Math.max(0, Math.floor(board.sourceDurationMs - lengthMs))
  const middleMs = (one.startMs + one.endMs) / 2
  const startMs = Math.max(wanted.earliestMs, Math.floor(middleMs - lengthMs / 2))
  const fromMs = Math.min(latestMs, startMs)
  return { startMs: fromMs, endMs: fromMs + lengthMs, isLocked: false }
}

function bestFree(
  board: MomentBoard,
  wanted: WantedMoment,
  taken: readonly Stretch[],
): ChosenMoment | null {
  const [best] = candidatesOf(board, wanted)
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
