import type { components } from '#openapi/schema.gen.ts'
import { choiceOf, type MomentBoard } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { plainRequest, type TaskRequest } from './task-requests.ts'

export type UploadMoments = components['schemas']['UploadMoments']
type Pictures = NonNullable<UploadMoments['pictures']>

/** Whether the moments of an edit can be chosen by hand. */
export function takesMoments(slug: string): boolean {
  return findRecipe(slug)?.momentRule !== undefined
}

/** The request with exactly these moments, and its other options as they are. */
export function requestOfMoments(
  request: TaskRequest,
  { shown, banned }: MomentChoice,
): TaskRequest {
  return withPayload(request, {
    ...request.payload,
    moments: { shown: [...shown], banned: [...banned] },
  })
}

/** The moments that a request asks for; null where the server is to choose. */
export function chosenMoments({ payload }: TaskRequest): MomentChoice | null {
  return payload !== undefined && 'moments' in payload ? (payload.moments ?? null) : null
}

/** The request without what was chosen on the board of one video. */
export function withoutMoments(request: TaskRequest): TaskRequest {
  if (chosenMoments(request) === null) return request
  const { moments: _, ...others } = { moments: null, ...request.payload }
  return plainRequest(request.mediaJobTaskPresetSlug) ?? withPayload(request, others)
}

/**
 * A request with other options, and the moments that were chosen before where the edit shows the
 * same passages by itself: those of another length or another finale no longer fit.
 */
export function keepingMoments(before: TaskRequest | null, after: TaskRequest): TaskRequest {
  const moments = before === null ? null : chosenMoments(before)
  if (before === null || moments === null || chosenMoments(after) !== null) return after
  const isSame = passagesOfAny(withoutMoments(before)) === passagesOfAny(after)
  return isSame ? requestOfMoments(after, moments) : after
}

/** What an edit shows by itself of a video that is longer than any it can show whole. */
function passagesOfAny({ mediaJobTaskPresetSlug: slug, payload }: TaskRequest): string {
  const film = filmOf({
    durationMs: DAY_MS,
    width: 1920,
    height: 1080,
    frameRate: 25,
    nominalRate: 25,
  })
  return JSON.stringify([slug, findRecipe(slug)?.timeline?.(film, payload, { moments: [] })])
}

const DAY_MS = 86_400_000

function withPayload(request: TaskRequest, payload: object): TaskRequest {
  // The slug decides the type of the payload, which the type checker cannot follow.
  return { ...request, payload } as TaskRequest
}

/**
 * The board of an edit and what the edit shows without a choice, by the function that the server
 * plans with. Null where the edit shows all of this video.
 */
export function momentBoard(
  request: TaskRequest,
  { source, moments, pictures }: UploadMoments,
): { readonly board: MomentBoard; readonly begin: MomentChoice } | null {
  const { mediaJobTaskPresetSlug: slug, payload } = withoutMoments(request)
  const recipe = findRecipe(slug)
  if (source === null || recipe?.momentRule === undefined) return null
  const film = filmOf(source)
  const rule = recipe.momentRule(film, payload)
  const timeline = recipe.timeline?.(film, payload, { moments })
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
export function filmOf({
  nominalRate,
  ...source
}: NonNullable<UploadMoments['source']>): SourceProbe {
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
  stretch: Stretch,
): { readonly column: number; readonly row: number } | null {
  const nearest = placeIn(placesMs, stretch)
  if (nearest === null) return null
  const index = placesMs.indexOf(nearest)
  return { column: index % columns, row: Math.floor(index / columns) }
}

/** The picture that shows a stretch best, of those at these times; null where none lies in it. */
export function pictureIn(pictures: ReadonlyMap<number, Blob>, stretch: Stretch): Blob | null {
  const place = placeIn([...pictures.keys()], stretch)
  return place === null ? null : (pictures.get(place) ?? null)
}

/** The place within a stretch that is nearest to its middle; null for none. */
export function placeIn(placesMs: readonly number[], { startMs, endMs }: Stretch): number | null {
  const middleMs = (startMs + endMs) / 2
  const [first, ...others] = placesMs.filter((place) => startMs <= place && place < endMs)
  if (first === undefined) return null
  return others.reduce(
    (best, place) => (Math.abs(place - middleMs) < Math.abs(best - middleMs) ? place : best),
    first,
  )
}

type MovingVideo = NonNullable<UploadMoments['video']>

/** Where a stretch, or the longest part of it that is there, lies in the video of its board. */
export interface PlayedStretch {
  readonly fromS: number
  readonly toS: number
  /** What is shown of it, in seconds of the stretch. */
  readonly shownS: number
  readonly isWhole: boolean
}

/** Less is no motion. */
const LEAST_PLAYED_MS = 400
/** A picture and a half of the video may be missing at an end without being missed. */
const NEARLY_MS = 130

/** What a player shows of a stretch; null where the video has nothing of it. */
export function playedOf(
  { stretches }: Pick<MovingVideo, 'stretches'>,
  { startMs, endMs }: Stretch,
): PlayedStretch | null {
  const parts = stretches
    .map((each) => {
      const fromMs = Math.max(startMs, each.startMs)
      const lengthMs = Math.min(endMs, each.endMs) - fromMs
      return { atMs: each.atMs + fromMs - each.startMs, lengthMs }
    })
    .toSorted((a, b) => b.lengthMs - a.lengthMs)
  const [longest] = parts
  if (longest === undefined || longest.lengthMs < LEAST_PLAYED_MS) return null
  const { atMs, lengthMs } = longest
  return {
    fromS: atMs / 1000,
    toS: (atMs + lengthMs) / 1000,
    shownS: lengthMs / 1000,
    isWhole: endMs - startMs - lengthMs <= NEARLY_MS,
  }
}
