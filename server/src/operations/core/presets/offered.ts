import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { Means } from '#server/operations/core/workers.ts'

/** Whether an edit can be made, whichever of these processes it comes to. */
export function isOffered(slug: string, means: readonly Means[]): boolean {
  return means.length > 0 && means.every((each) => canMake(slug, each))
}

interface Known {
  readonly encoders: ReadonlySet<string>
  readonly answers: Map<string, boolean>
}

/**
 * By the filters of an ffmpeg. Planning the whole catalogue takes 0.08 s of a processor, and each
 * device that looks whether the server is there asks for it.
 */
const known = new WeakMap<ReadonlySet<string>, Known>()

function canMake(slug: string, means: Means): boolean {
  const { ffmpeg, findsFaces } = means
  if (ffmpeg === null) return false
  const { filters, encoders, canRunNode } = ffmpeg
  const before = known.get(filters)
  const { answers } =
    before?.encoders === encoders ? before : { answers: new Map<string, boolean>() }
  known.set(filters, { encoders, answers })
  const key = `${slug} ${canRunNode} ${findsFaces}`
  const answer = answers.get(key) ?? canPlan(slug, ffmpeg, findsFaces)
  answers.set(key, answer)
  return answer
}

/**
 * Whether a process can make an edit: there is a recipe, its ffmpeg has every filter and encoder
 * that the plan needs with its usual options and with all of them in use, our own programs in it
 * can run, and where it covers faces, there is a search for them.
 */
function canPlan(slug: string, ffmpeg: NonNullable<Means['ffmpeg']>, findsFaces: boolean): boolean {
  if (isReviewed(slug) && !findsFaces) return false
  const recipe = findRecipe(slug)
  if (recipe === undefined) return false
  const plans = [recipe.typicalPayload, recipe.fullPayload].map((payload) =>
    planOf(recipe, payload, ffmpeg),
  )
  return plans
    .flatMap(({ steps }) => steps)
    .every(
      ({ needs, tool }) =>
        (tool === undefined || tool === 'loudness-meter' || ffmpeg.canRunNode) &&
        needs.filters.every((name) => ffmpeg.filters.has(name)) &&
        needs.encoders.every((name) => ffmpeg.encoders.has(name)),
    )
}

function planOf(
  recipe: Recipe,
  payload: unknown,
  ffmpeg: Pick<Ffmpeg, 'filters' | 'encoders'>,
): RecipePlan {
  const assets = recipe
    .assetIds(payload)
    .map((id) => ({ id, kind: 'video' as const, probe: ASSET }))
  const plan = recipe.plan(SOURCE, payload, {
    moments: [],
    assets,
    music: recipe.musicTrackIds(payload).map((id) => ({ id, ...TRACK })),
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: SECRET_OF_NO_UPLOAD,
  })
  // A recipe that refuses its own options is a mistake here, not a missing filter.
  if (!plan.ok) throw new Error(`No plan for ${recipe.slug}: ${plan.error.code}`)
  return plan.value
}

/** Its picture cannot be copied, and changes its shape, so that it has to be encoded and padded. */
const SOURCE: SourceProbe = {
  durationMs: 600_000,
  width: 1920,
  height: 1080,
  frameRate: 30,
  hasAudio: true,
  videoCodec: 'h264',
  audioCodec: 'pcm_s16le',
  audioChannels: 2,
  soundWidthDb: 0,
  pixelFormat: 'yuv444p',
  colorMatrix: 'bt709',
  pictureChanges: true,
  isHdr: false,
  fileName: 'scene.mp4',
}
/** Of another shape than the source, and without sound. */
const ASSET: SourceProbe = { ...SOURCE, durationMs: 5000, width: 1080, hasAudio: false }
const TRACK = { durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }
