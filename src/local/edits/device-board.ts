import { evenPlaces, middleOf } from '#recipes/even-places.ts'
import { choiceOf, type MomentBoard } from '#recipes/moment-candidates.ts'
import { lengthOf, PICTURE_MS, type MomentChoice } from '#recipes/moment-choice.ts'
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
 * The board of an edit by what this device knows of the video, and what the edit would show without
 * a search. Null where the edit shows all of this video, or takes no moments.
 */
export function deviceBoard(request: TaskRequest, source: SourceProbe): DeviceBoard | null {
  const { mediaJobTaskPresetSlug: slug, payload } = withoutMoments(request)
  const recipe = findRecipe(slug)
  const rule = recipe?.momentRule?.(source, payload) ?? null
  const timeline = recipe?.timeline?.(source, payload, { moments: [] })
  if (rule === null || timeline?.ok !== true) return null
  const begin = choiceOf(timeline.value)
  const sureMs = source.durationMs - UNSURE_END_MS
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
