import { definePreset } from '#recipes/define-preset.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import type { FramedPassage } from '#recipes/chosen-passages.ts'
import { drawn } from '#recipes/drawing-steps.ts'
import { joinedDrawing } from '#recipes/joined-passages.ts'
import { framesIn, msOfFrames } from '#recipes/passage-steps.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlanProblem, SourceProbe } from '#recipes/types.ts'
import { perEdit } from '#recipes/pricing.ts'
import {
  isOnePiece,
  MIN_REST_MS,
  restOf,
  uniformSamplingOptions,
  type UniformSamplingOptions,
} from './options.ts'

const edit = { slug: 'uniform-sampling', buttonText: 'Download summary' } as const

/**
 * A summary of evenly spaced moments, wherever something happens or not, between the creator's own
 * intro and outro.
 */
export const uniformSampling = definePreset({
  slug: edit.slug,
  name: 'Uniform Sampling',
  description:
    'A summary made of evenly spaced moments; you choose how many, how long, and what to leave out at both ends.',
  tab: 'promotional',
  badge: 'new',
  price: perEdit(350),
  // Its options are refused for a video that is too short for them.
  needs: { sound: false, minimumMs: 0 },
  options: uniformSamplingOptions,
  usesMoments: false,
  ...drawn<UniformSamplingOptions>((source, options) => {
    const samples = samplesOf(source, options)
    return samples.ok ? ok(joinedDrawing(source, { ...edit, ...options }, samples.value)) : samples
  }),
})

/**
 * The moments: what the offsets leave is divided into equal stretches, and each shows its middle.
 * When the moments would need more than is left, all that is left is shown as one piece; nothing is
 * ever repeated.
 */
function samplesOf(
  source: SourceProbe,
  options: UniformSamplingOptions,
): Result<readonly FramedPassage[], PlanProblem> {
  const shape = { frameRate: steadyFrameRate(source) }
  const restMs = restOf(options, source.durationMs)
  if (restMs < Math.min(MIN_REST_MS, source.durationMs)) {
    return err({
      code: 'recipe/options-invalid',
      field: 'offsetStartMs',
      message:
        'The parts to leave out at the start and end are as long as the video, so nothing is left to show.',
    })
  }
  if (isOnePiece(options, source.durationMs))
    return ok([{ startMs: options.offsetStartMs, frames: framesIn(restMs, shape) }])
  // A moment is a frame at least, and all of them together are exactly as long as asked for.
  const frames = Math.max(options.segmentCount, framesIn(options.maximumDuration, shape))
  const stretchMs = restMs / options.segmentCount
  return ok(
    Array.from({ length: options.segmentCount }, (_, index) => {
      const own =
        Math.floor(((index + 1) * frames) / options.segmentCount) -
        Math.floor((index * frames) / options.segmentCount)
      const startMs =
        options.offsetStartMs +
        index * stretchMs +
        Math.max(0, stretchMs - msOfFrames(own, shape)) / 2
      return { startMs: Math.floor(startMs), frames: own }
    }),
  )
}
