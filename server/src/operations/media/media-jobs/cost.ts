import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { AssetSource, PlanStep, SourceProbe } from '#recipes/types.ts'

/** Processor seconds for each second of Full HD at 30 pictures a second, on a usual server. */
const DECODE = 0.15
const ENCODE = 0.75
/** The search for moments decodes no more of a source than this, and less of larger pictures. */
const MAX_SEARCHED_S = 480
/** It decodes only what a small picture needs. */
const SEARCH = 0.14
/** The search for faces works on small pictures, ten a second at most, whatever the source has. */
const FACES = 1.7
/** Our own programs; the noise filter works on two channels. */
const PROGRAMS = { 'noise-filter': 0.2, 'voice-filter': 0.06 } as const
/** Streams that are copied as they are cost next to nothing. */
const COPY = 0.01

/**
 * Estimated processor seconds of an edit, at least 1: what it looks for in the video, and what its
 * plan reads and writes, by the size of the picture. An estimate only divides edits into quick and
 * long and puts them in order.
 */
export function estimateCostS(
  recipe: Recipe,
  payload: unknown,
  source: SourceProbe,
  assets: readonly AssetSource[] = [],
): number {
  const plan = recipe.plan(source, payload, {
    moments: [],
    assets,
    secret: SECRET_OF_NO_UPLOAD,
  })
  // Without an asset that is gone a plan cannot be made: as if all of the video were shown.
  const workS = plan.ok
    ? plan.value.steps
        .filter(({ skipWithin }) => skipWithin === undefined)
        .reduce((sum, step) => sum + stepCostS(step, source), 0)
    : (source.durationMs / 1000) * (DECODE + ENCODE)
  const facesS = isReviewed(recipe.slug) ? estimateFacesS(source) : 0
  const searchS = recipe.usesMoments ? estimateSearchS(source) : 0
  return Math.max(1, Math.ceil(facesS + searchS + workS * Math.max(0.05, fullHdOf(source))))
}

/** Of that, the search for moments, which one edit of a video makes for all. */
export function estimateSearchS(source: SourceProbe): number {
  const fullHd = fullHdOf(source)
  const searchedS = Math.min(source.durationMs / 1000, MAX_SEARCHED_S / fullHd)
  return searchedS * SEARCH * Math.max(0.05, fullHd)
}

/** Of that, the search for faces, which one edit of a video makes for all. */
export function estimateFacesS({ durationMs }: Pick<SourceProbe, 'durationMs'>): number {
  return (durationMs / 1000) * FACES
}

/** The pictures of a source, as a share of Full HD at 30 a second. */
function fullHdOf({ width, height, frameRate }: SourceProbe): number {
  return (width * height * Math.max(1, frameRate)) / (1920 * 1080 * 30)
}

function stepCostS(
  { inputs, args, outputDurationMs, tool }: PlanStep,
  source: SourceProbe,
): number {
  if (tool !== undefined && tool !== 'loudness-meter')
    return (outputDurationMs / 1000) * PROGRAMS[tool]
  const readS = inputs
    .filter(({ from }) => from.kind === 'source')
    .reduce((sum, { durationMs }) => sum + (durationMs ?? source.durationMs) / 1000, 0)
  const isCopied = args.some((arg, index) => arg === '-c:v' && args[index + 1] === 'copy')
  if (isCopied || args.includes('-vn')) return (readS + outputDurationMs / 1000) * COPY
  return readS * DECODE + (outputDurationMs / 1000) * ENCODE
}
