import { pickPlaces } from './moments.ts'
import type { Moment, SourceProbe, TimelinePassage } from './types.ts'

/** Enough to choose from, and little enough for one picture that a phone loads at once. */
const MOST_PLACES = 60
/** Nearer ones would show the same. */
const APART_MS = 700

/**
 * Where pictures of a source are taken for the moment board, in order: one in each passage that
 * edits show by themselves, then the best others.
 */
export function picturePlaces(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  moments: readonly Moment[],
  passages: readonly TimelinePassage[],
): readonly number[] {
  const room = Math.max(1, Math.min(MOST_PLACES, Math.floor(durationMs / APART_MS)))
  const places = [
    ...passages.map((each) => sharpestIn(moments, each)),
    ...pickPlaces(durationMs, moments, room),
  ]
  const chosen: number[] = []
  for (const place of places)
    if (chosen.length < room && chosen.every((other) => Math.abs(other - place) >= APART_MS))
      chosen.push(place)
  return chosen.toSorted((a, b) => a - b)
}

/** The sharpest picture that a passage is known to have, or its middle. */
function sharpestIn(moments: readonly Moment[], { startMs, endMs }: TimelinePassage): number {
  const [best] = moments
    .filter(({ stillMs, shows }) => shows !== 'unseen' && startMs <= stillMs && stillMs < endMs)
    .toSorted((a, b) => b.score - a.score)
  return Math.round(best?.stillMs ?? (startMs + endMs) / 2)
}
