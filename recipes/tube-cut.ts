import { defineRecipe } from './define-recipe.ts'
import { steadyFrameRate } from './encoding.ts'
import {
  planJoined,
  previewJoined,
  timelineOfJoined,
  type JoinedPassage,
} from './joined-passages.ts'
import { pickPassages } from './moments.ts'
import { framesIn } from './passage-steps.ts'
import { ok } from './result.ts'
import { parseTubeCutOptions, type TubeCutOptions } from './tube-cut-options.ts'
import type { PlanContext, SourceProbe } from './types.ts'

/** No passage is shorter: less feels like a teaser. */
const MIN_PASSAGE_MS = 8000
/** What a passage tends to: long enough to settle in, short enough that the scene moves on. */
const USUAL_PASSAGE_MS = 30_000
const MAX_PASSAGES = 40

const edit = { slug: 'tube-cut', buttonText: 'Download tube cut' } as const

/** A shorter version of the scene in long passages, between the creator's own intro and outro. */
export const tubeCut = defineRecipe<TubeCutOptions>({
  slug: edit.slug,
  usesMoments: true,
  parse: parseTubeCutOptions,
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
  plan: (source, options, context) =>
    planJoined(source, { ...options, ...edit }, passages(source, options, context), context),
  timeline: (source, options, context) =>
    ok(timelineOfJoined(source, edit, passages(source, options, context))),
  preview: (source, _options, window, context) => ok(previewJoined(source, edit, window, context)),
})

/** The passages of the source; one with everything for 0 or a target beyond its length. */
function passages(
  source: SourceProbe,
  options: TubeCutOptions,
  context: Pick<PlanContext, 'moments'>,
): readonly JoinedPassage[] {
  const shape = { frameRate: steadyFrameRate(source) }
  const targetMs = options.targetDuration
  if (targetMs === 0 || targetMs >= source.durationMs)
    return [{ startMs: 0, frames: framesIn(source.durationMs, shape) }]
  const most = Math.max(1, Math.floor(targetMs / MIN_PASSAGE_MS))
  const count = Math.min(most, MAX_PASSAGES, Math.max(3, Math.round(targetMs / USUAL_PASSAGE_MS)))
  return pickPassages(
    source.durationMs,
    context.moments,
    Array.from({ length: count }, () => targetMs / count),
  ).map(({ startMs, durationMs }) => ({ startMs, frames: framesIn(durationMs, shape) }))
}
