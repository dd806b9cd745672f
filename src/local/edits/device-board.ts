import { evenPlaces, middleOf } from '#recipes/even-places.ts'
import { pickPlaces } from '#recipes/pick-places.ts'
import { createWeigher } from '#recipes/passage-worth.ts'
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
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { withoutMoments } from './moment-boards.ts'
import type { TaskRequest } from './task-requests.ts'

/** The board of an edit of a video that no server has searched. */
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
 * 15s Teaser of 25 GB is 91 MB instead of 109 (docs/bench-log/first-posts.md).
 */
const BEHIND_KEY_MS = 500

/** Beside those that are shown: each picture is a decode on the device of a creator. */
const MOST_OTHERS = 18
/** Nearer pictures would show the same. */
const APART_MS = 700
/** So much less may a moment be worth behind a key: no cut, and nothing that stands. */
const WORTH_OF_KEY = 0.05

/**
 * The board of an edit by what this device knows of the video, and what the edit would show by
 * that: the moments that this device found, else evenly spaced ones. Null where the edit shows all
 * of this video, or takes no moments.
 * @param keysMs when the keys of the pictures are shown, in order, as far as that is known: moments
 * begin near them, because then the fewest bytes are sent for them
 * @param found what this device has found in it; none = it has not been searched
 */
export function deviceBoard(
  request: TaskRequest,
  source: SourceProbe,
  keysMs: readonly number[],
  found: readonly Moment[] = [],
): DeviceBoard | null {
  const { mediaJobTaskPresetSlug: slug, payload } = withoutMoments(request)
  const recipe = findRecipe(slug)
  const rule = recipe?.momentRule?.(source, payload) ?? null
  const timeline = recipe?.timeline?.(source, payload, { moments: found })
  if (rule === null || timeline?.ok !== true) return null
  const proposed = choiceOf(timeline.value)
  const sureMs = source.durationMs - UNSURE_END_MS
  const shown = behindKeys(proposed.shown, { keysMs, rule, sureMs, found })
  const begin = { ...proposed, shown }
  const isSure = shown.every(({ endMs }) => endMs <= sureMs)
  const sourceDurationMs = isSure ? sureMs : source.durationMs
  const placesMs =
    found.length === 0
      ? evenPlaces(sourceDurationMs, rule, shown)
      : foundPlaces(sourceDurationMs, found, shown)
  const first = new Set(shown.map(middleOf))
  const shortest = Math.min(...shown.map(lengthOf))
  return {
    board: { sourceDurationMs, moments: found, placesMs, rule, usualCount: timeline.value.length },
    begin,
    order: [
      ...inSpreadOrder([...first]),
      ...inSpreadOrder(placesMs.filter((place) => !first.has(place))),
    ],
    nearMs: shortest <= PICTURE_MS ? 0 : shortest / 2,
  }
}

/** In the middle of each moment that is shown, and where the best others are. */
function foundPlaces(
  sourceDurationMs: number,
  found: readonly Moment[],
  shown: MomentChoice['shown'],
): readonly number[] {
  const places = [...new Set(shown.map(middleOf))]
  const most = places.length + MOST_OTHERS
  for (const place of pickPlaces(sourceDurationMs, found, most))
    if (places.length < most && places.every((other) => Math.abs(other - place) >= APART_MS))
      places.push(Math.floor(place))
  return places.toSorted((a, b) => a - b)
}

interface KeyedMoments {
  readonly keysMs: readonly number[]
  readonly rule: MomentRule
  readonly sureMs: number
  readonly found: readonly Moment[]
}

/**
 * The moments, each begun behind the key that is nearest, where the rule allows it, no other moment
 * is there, and what was found is worth as much. A still stays: it is its picture.
 */
function behindKeys(
  shown: MomentChoice['shown'],
  { keysMs, rule: { slots }, sureMs, found }: KeyedMoments,
): MomentChoice['shown'] {
  const moved = [...shown]
  const weigher = createWeigher(found)
  for (const [index, each] of shown.entries()) {
    const leadMs = slots?.[index]?.earliestMs ?? 0
    const behindMs = BEHIND_KEY_MS + leadMs
    const keyMs = nearest(keysMs, each.startMs - behindMs)
    if (keyMs === null) continue
    const startMs = keyMs + behindMs
    const there = { ...each, startMs, endMs: startMs + lengthOf(each) }
    const isAsGood =
      found.length === 0 ||
      (lengthOf(each) > PICTURE_MS &&
        weigher.worth(startMs, lengthOf(each)) >
          weigher.worth(each.startMs, lengthOf(each)) - WORTH_OF_KEY)
    const isFree = moved.every((other, at) => at === index || !overlap(other, there))
    if (isFree && isAsGood && startMs >= leadMs && there.endMs <= sureMs) moved[index] = there
  }
  return moved
}

function nearest(ascending: readonly number[], wanted: number): number | null {
  const behind = ascending.find((each) => each > wanted) ?? null
  const before = ascending.findLast((each) => each <= wanted) ?? null
  if (before === null || behind === null) return before ?? behind
  return wanted - before <= behind - wanted ? before : behind
}
