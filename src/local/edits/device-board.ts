import { evenPlaces, middleOf } from '#recipes/even-places.ts'
import { choiceOf, type MomentBoard } from '#recipes/moment-candidates.ts'
import {
  lengthOf,
  overlap,
  PICTURE_MS,
  type MomentChoice,
  type MomentRule,
} from '#recipes/moment-choice.ts'
import { findRecipe } from '#recipes/presets.ts'
import { inSpreadOrder } from '#recipes/spread-order.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { withoutMoments } from './moment-boards.ts'
import type { TaskRequest } from './task-requests.ts'

/** The board of an edit of a video that no server has searched: its moments are evenly spaced. */
export interface DeviceBoard {
  readonly board: MomentBoard
  readonly begin: MomentChoice
  /** Its places as their pictures are best made: what is shown first, each part spread over all. */
  readonly order: readonly number[]
  /** How much earlier than its place a picture may be, to be one of the moment around it. */
  readonly nearMs: number
}

/** The server may find a video a little shorter than this device does. */
const UNSURE_END_MS = 100
/**
 * What an excerpt keeps before what an edit reads, and by how much pictures may be out of order:
 * what begins sooner behind a key needs the pictures from the key before it too. The excerpt of the
 * 15s Teaser of 25 GB is 91 MB instead of 109 (docs/benchmarks.md#first-posts).
 */
const BEHIND_KEY_MS = 500

/**
 * The board of an edit by what this device knows of the video, and what the edit would show without
 * a search. Null where the edit shows all of this video, or takes no moments.
 * @param keysMs when the keys of the pictures are shown, in order, as far as that is known: moments
 * begin near them, because then the fewest bytes are sent for them
 */
export function deviceBoard(
  request: TaskRequest,
  source: SourceProbe,
  keysMs: readonly number[],
): DeviceBoard | null {
  const { mediaJobTaskPresetSlug: slug, payload } = withoutMoments(request)
  const recipe = findRecipe(slug)
  const rule = recipe?.momentRule?.(source, payload) ?? null
  const timeline = recipe?.timeline?.(source, payload, { moments: [] })
  if (rule === null || timeline?.ok !== true) return null
  const even = choiceOf(timeline.value)
  const sureMs = source.durationMs - UNSURE_END_MS
  const begin = { ...even, shown: behindKeys(even.shown, keysMs, rule, sureMs) }
  const isSure = begin.shown.every(({ endMs }) => endMs <= sureMs)
  const sourceDurationMs = isSure ? sureMs : source.durationMs
  const placesMs = evenPlaces(sourceDurationMs, rule, begin.shown)
  const shown = new Set(begin.shown.map(middleOf))
  const shortest = Math.min(...begin.shown.map(lengthOf))
  return {
    board: { sourceDurationMs, moments: [], placesMs, rule, usualCount: timeline.value.length },
    begin,
    order: [
      ...inSpreadOrder([...shown]),
      ...inSpreadOrder(placesMs.filter((place) => !shown.has(place))),
    ],
    nearMs: shortest <= PICTURE_MS ? 0 : shortest / 2,
  }
}

/**
 * The moments, each begun behind the key that is nearest, where the rule allows it and no other
 * moment is there.
 */
function behindKeys(
  shown: MomentChoice['shown'],
  keysMs: readonly number[],
  { slots }: MomentRule,
  sureMs: number,
): MomentChoice['shown'] {
  const moved = [...shown]
  for (const [index, each] of shown.entries()) {
    const leadMs = slots?.[index]?.earliestMs ?? 0
    const behindMs = BEHIND_KEY_MS + leadMs
    const keyMs = nearest(keysMs, each.startMs - behindMs)
    if (keyMs === null) continue
    const startMs = keyMs + behindMs
    const there = { ...each, startMs, endMs: startMs + lengthOf(each) }
    const isFree = moved.every((other, at) => at === index || !overlap(other, there))
    if (isFree && startMs >= leadMs && there.endMs <= sureMs) moved[index] = there
  }
  return moved
}

function nearest(ascending: readonly number[], wanted: number): number | null {
  const behind = ascending.find((each) => each > wanted) ?? null
  const before = ascending.findLast((each) => each <= wanted) ?? null
  if (before === null || behind === null) return before ?? behind
  return wanted - before <= behind - wanted ? before : behind
}
