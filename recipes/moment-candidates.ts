import {
  lengthOf,
  PICTURE_MS,
  type MomentChoice,
  type MomentRule,
  type MomentSlot,
} from './moment-choice.ts'
import type { Stretch } from './stretch.ts'
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

/** What a moment is wanted for: a place of the edit, or a length that is still open. */
export type WantedMoment = Pick<MomentSlot, 'lengthMs' | 'earliestMs'>

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
      endMs: Math.max(Math.floor(startMs) + PICTURE_MS, Math.floor(endMs)),
      isLocked: false,
    })),
    banned: [],
  }
}

/** What may stand in the place of a moment of the edit. */
export function wantedAt(
  { rule }: MomentBoard,
  { shown }: MomentChoice,
  index: number,
): WantedMoment {
  const one = shown[index]
  return rule.slots?.[index] ?? { lengthMs: one === undefined ? 0 : lengthOf(one), earliestMs: 0 }
}

/**
 * The best stretch around each picture, in order of time. Where nothing is known of the video, none
 * that overlaps an earlier one: it would be the same offer.
 */
export function candidatesOf(board: MomentBoard, wanted: WantedMoment): readonly Candidate[] {
  const weigher = createWeigher(board.moments)
  const all = board.placesMs.map((placeMs) => candidateAt(board, weigher, placeMs, wanted))
  if (board.moments.length > 0) return all
  let freeMs = 0
  return all.filter(({ startMs, endMs }) => {
    const isFree = startMs >= freeMs
    if (isFree) freeMs = endMs
    return isFree
  })
}

/** Shares of the length that may lie before the picture. */
const LEADS = [0.5, 0.2, 0.35, 0.65, 0.8] as const

/** The best stretch around one picture; of a still, just the picture. */
export function candidateAt(
  { sourceDurationMs, moments }: MomentBoard,
  weigher: Weigher,
  placeMs: number,
  wanted: WantedMoment,
): Candidate {
  const lengthMs = Math.round(wanted.lengthMs)
  const latestMs = Math.max(0, Math.floor(sourceDurationMs - lengthMs))
  const within = (startMs: number): number =>
    Math.min(latestMs, Math.max(wanted.earliestMs, Math.floor(startMs)))
  const inside = moments.find((each) => each.atMs <= placeMs && placeMs < each.atMs + each.lengthMs)
  const starts =
    lengthMs === PICTURE_MS
      ? [within(placeMs)]
      : [...LEADS.map((lead) => placeMs - lead * lengthMs), inside?.atMs ?? placeMs]
          .map(within)
          .filter((startMs) => startMs <= placeMs && placeMs <= startMs + lengthMs)
  const [first = within(placeMs), ...others] = starts
  const startMs = others.reduce(
    (best, each) =>
      weigher.worth(each, lengthMs) > weigher.worth(best, lengthMs) + 0.001 ? each : best,
    first,
  )
  const worth = weigher.worth(startMs, lengthMs)
  return { startMs, endMs: startMs + lengthMs, placeMs, worth }
}
