import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { FaceSearch } from '#server/media/face-search.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'

/** What makes edits here. */
interface Means {
  readonly ffmpeg: Pick<Ffmpeg, 'filters' | 'encoders' | 'canRunNode'> | null
  readonly faces: FaceSearch | null
}

/**
 * Whether this server can make an edit: there is a recipe, this ffmpeg has every filter and encoder
 * that the plan for a typical video needs, our own programs in it can run, and where it covers
 * faces, there is a search for them.
 */
export function isOffered(slug: string, { ffmpeg, faces }: Means): boolean {
  if (ffmpeg === null || (isReviewed(slug) && faces === null)) return false
  const plan = typicalPlan(slug, ffmpeg)
  return (
    plan !== null &&
    plan.steps.every(
      ({ needs, tool }) =>
        (tool === undefined || tool === 'loudness-meter' || ffmpeg.canRunNode) &&
        needs.filters.every((name) => ffmpeg.filters.has(name)) &&
        needs.encoders.every((name) => ffmpeg.encoders.has(name)),
    )
  )
}

/** The plan for a ten-minute HD video with the commonest options; null without a recipe. */
function typicalPlan(
  slug: string,
  ffmpeg: Pick<Ffmpeg, 'filters' | 'encoders'>,
): RecipePlan | null {
  const recipe = findRecipe(slug)
  if (recipe === undefined) return null
  const { typicalPayload: payload } = recipe
  const assets = recipe
    .assetIds(payload)
    .map((id) => ({ id, kind: 'video' as const, probe: { ...typicalSource, durationMs: 5000 } }))
  const plan = recipe.plan(typicalSource, payload, {
    moments: [],
    assets,
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: SECRET_OF_NO_UPLOAD,
  })
  // A recipe that refuses its own commonest case is a mistake here, not a missing filter.
  if (!plan.ok) throw new Error(`No plan for a typical ${slug}: ${plan.error.code}`)
  return plan.value
}

const typicalSource: SourceProbe = {
  durationMs: 600_000,
  width: 1920,
  height: 1080,
  frameRate: 30,
  hasAudio: true,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 2,
  soundWidthDb: 0,
  pixelFormat: 'yuv420p',
  isHdr: false,
  fileName: 'scene.mp4',
}
