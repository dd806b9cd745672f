import { pickPlaces } from './pick-places.ts'
import { recipes } from './presets.ts'
import type { Moment, SourceProbe, TimelinePassage } from './types.ts'

/** Enough tiles to choose from, and few enough for one picture that a phone loads at once. */
const MOST_PLACES = 72
/** Nearer ones would show the same. */
const APART_MS = 700

/**
 * What all edits that choose moments show of a source by themselves, with their usual options.
 * @param letOthersRun is awaited before each edit: of a day of video one takes up to a second
 */
export async function usualPassages(
  source: SourceProbe,
  moments: readonly Moment[],
  letOthersRun: () => Promise<void>,
): Promise<readonly TimelinePassage[]> {
  const passages: TimelinePassage[] = []
  for (const recipe of Object.values(recipes)) {
    if (recipe.momentRule === undefined) continue
    await letOthersRun()
    const timeline = recipe.timeline?.(source, recipe.proposedPayload(source.durationMs), {
      moments,
    })
    if (timeline?.ok === true) passages.push(...timeline.value)
  }
  return passages
}

/**
 * Where pictures of a source are taken for the moment board, in order: every still that edits show
 * by themselves, one in each of their passages, then the best others.
 */
export function tilePlaces(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  moments: readonly Moment[],
  passages: readonly TimelinePassage[],
): readonly number[] {
  const isStill = ({ startMs, endMs }: TimelinePassage): boolean => startMs === endMs
  const chosen = new Set(passages.filter(isStill).map(({ startMs }) => Math.floor(startMs)))
  for (const passage of passages)
    if (!isStill(passage) && ![...chosen].some((place) => isIn(place, passage)))
      chosen.add(sharpestIn(moments, passage))
  const room = Math.max(1, Math.min(MOST_PLACES, Math.floor(durationMs / APART_MS)))
  for (const place of pickPlaces(durationMs, moments, room))
    if (chosen.size < room && [...chosen].every((other) => Math.abs(other - place) >= APART_MS))
      chosen.add(place)
  return [...chosen].slice(0, MOST_PLACES).toSorted((a, b) => a - b)
}

function isIn(place: number, { startMs, endMs }: TimelinePassage): boolean {
  return startMs <= place && place < endMs
}

/** The sharpest picture that a passage is known to have, or its middle. */
function sharpestIn(moments: readonly Moment[], { startMs, endMs }: TimelinePassage): number {
  const [best] = moments
    .filter(({ stillMs, shows }) => shows !== 'unseen' && startMs <= stillMs && stillMs < endMs)
    .toSorted((a, b) => b.score - a.score)
  return Math.round(best?.stillMs ?? (startMs + endMs) / 2)
}
