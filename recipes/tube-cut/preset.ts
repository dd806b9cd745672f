import { definePreset } from '#recipes/define-preset.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import {
  planJoined,
  previewJoined,
  timelineOfJoined,
  type JoinedPassage,
} from '#recipes/joined-passages.ts'
import { pickPassages } from '#recipes/moments.ts'
import { framesIn } from '#recipes/passage-steps.ts'
import { ok } from '#recipes/result.ts'
import { perEdit } from '#recipes/pricing.ts'
import { tubeCutOptions, type TubeCutOptions } from './options.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'

/** No passage is shorter: less feels like a teaser. */
const MIN_PASSAGE_MS = 8000
/** What a passage tends to: long enough to settle in, short enough that the scene moves on. */
const USUAL_PASSAGE_MS = 30_000
const MAX_PASSAGES = 40

const edit = { slug: 'tube-cut', buttonText: 'Download tube cut' } as const

/** A shorter version of the scene in long passages, between the creator's own intro and outro. */
export const tubeCut = definePreset({
  slug: edit.slug,
  name: 'Tube Cut',
  description: 'A shorter version of the scene in longer passages, at the length you choose.',
  tab: 'promotional',
  price: perEdit(400),
  // One passage. The form of the options warns when the target is longer than the video.
  needs: { sound: false, minimumMs: MIN_PASSAGE_MS },
  options: tubeCutOptions,
  usesMoments: true,
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
