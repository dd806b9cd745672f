import type { components } from '#openapi/schema.gen.ts'
import { choiceOf, type MomentBoard } from '#recipes/moment-board.ts'
import type { MomentChoice, Stretch } from '#recipes/moment-choice.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { PresetSlug, TaskRequest } from './task-requests.ts'

export type UploadMoments = components['schemas']['UploadMoments']
type PlainRequest = components['schemas']['PlainTaskRequest']
type Pictures = NonNullable<UploadMoments['pictures']>

/** Whether the moments of an edit can be chosen by hand. */
export function takesMoments(slug: string): boolean {
  return findRecipe(slug)?.momentRule !== undefined
}

/** The request of an edit that shows exactly these moments. @param slug one that takes them */
export function requestOfMoments(slug: PresetSlug, { shown, banned }: MomentChoice): TaskRequest {
  // The contract has those that take moments among the presets that need no form.
  const mediaJobTaskPresetSlug = slug as PlainRequest['mediaJobTaskPresetSlug']
  return {
    mediaJobTaskPresetSlug,
    payload: { moments: { shown: [...shown], banned: [...banned] } },
  }
}

/** The moments that a request asks for; null where the server is to choose. */
export function chosenMoments(request: TaskRequest | null): MomentChoice | null {
  if (request === null || !takesMoments(request.mediaJobTaskPresetSlug)) return null
  // The slug decides the type of the payload, which the type checker cannot follow.
  return (request as PlainRequest).payload?.moments ?? null
}

/**
 * The board of an edit and what the edit shows without a choice, by the function that the server
 * plans with. Null where the edit shows all of this video.
 */
export function momentBoard(
  slug: PresetSlug,
  { source, moments, pictures }: UploadMoments,
): { readonly board: MomentBoard; readonly begin: MomentChoice } | null {
  const recipe = findRecipe(slug)
  if (source === null || recipe?.momentRule === undefined) return null
  const film = filmOf(source)
  const rule = recipe.momentRule(film)
  const timeline = recipe.timeline?.(film, undefined, { moments })
  if (rule === null || timeline?.ok !== true) return null
  const board: MomentBoard = {
    sourceDurationMs: source.durationMs,
    moments,
    placesMs: (pictures?.placesMs ?? []).toSorted((a, b) => a - b),
    rule,
    usualCount: timeline.value.length,
  }
  return { board, begin: choiceOf(timeline.value) }
}

/** What the choice of moments depends on; of the rest of a source it knows nothing. */
function filmOf({ nominalRate, ...source }: NonNullable<UploadMoments['source']>): SourceProbe {
  return {
    ...source,
    ...(nominalRate === null ? {} : { nominalRate }),
    hasAudio: false,
    videoCodec: '',
    audioCodec: null,
    audioChannels: 0,
    isHdr: false,
    fileName: '',
  }
}

/** Column and row of the tile that shows a stretch best; null where no picture lies in it. */
export function tileOf(
  { placesMs, columns }: Pictures,
  { startMs, endMs }: Stretch,
): { readonly column: number; readonly row: number } | null {
  const middleMs = (startMs + endMs) / 2
  const inside = placesMs.filter((place) => startMs <= place && place < endMs)
  const [first, ...others] = inside
  if (first === undefined) return null
  const nearest = others.reduce(
    (best, place) => (Math.abs(place - middleMs) < Math.abs(best - middleMs) ? place : best),
    first,
  )
  const index = placesMs.indexOf(nearest)
  return { column: index % columns, row: Math.floor(index / columns) }
}

/** '1:23.4' or '83.4' or '1:02:03' as milliseconds; null for anything else. */
export function readPoint(text: string): number | null {
  const found = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(text.trim())
  if (found === null) return null
  const [, hours = '0', minutes = '0', seconds = ''] = found
  const s = Number(seconds.replace(',', '.'))
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + s) * 1000)
}
