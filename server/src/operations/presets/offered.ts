import { findRecipe } from '#recipes/presets.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'

/**
 * Whether this server can make an edit: there is a recipe, and this ffmpeg has every filter and
 * encoder that the plan for a typical video needs.
 */
export function isOffered(
  slug: string,
  ffmpeg: Pick<Ffmpeg, 'filters' | 'encoders'> | null,
): boolean {
  if (ffmpeg === null) return false
  const plan = typicalPlan(slug, ffmpeg)
  return (
    plan !== null &&
    plan.steps.every(
      ({ needs }) =>
        needs.filters.every((name) => ffmpeg.filters.has(name)) &&
        needs.encoders.every((name) => ffmpeg.encoders.has(name)),
    )
  )
}

/** The plan for a ten-minute HD video with the commonest options; null without a recipe. */
function typicalPlan(slug: string, ffmpeg: Pick<Ffmpeg, 'filters'>): RecipePlan | null {
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
  pixelFormat: 'yuv420p',
  isHdr: false,
  fileName: 'scene.mp4',
}
