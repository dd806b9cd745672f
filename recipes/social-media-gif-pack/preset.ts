import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { planGifPreview } from './preview.ts'
import {
  gifName,
  gifOutput,
  gifShapes,
  gifStep,
  LOOP,
  LOOP_FADE_MS,
  loopFadeMs,
  loopOutput,
  loopStep,
  wholeSource,
} from './gif-steps.ts'
import { pickPassages, type Passage } from '#recipes/moments.ts'
import { fitInside } from '#recipes/picture.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, RecipePlan, SourceProbe, TimelinePassage } from '#recipes/types.ts'

const GIF_MS = 3000
const LOOP_MS = 4000

/**
 * Three GIFs in the shapes that networks show, and a seamless muted clip for those that take no
 * GIF.
 */
export const socialMediaGifPack = definePreset({
  slug: 'social-media-gif-pack',
  name: 'Social Media GIF Pack',
  description:
    'Three short GIFs of your best moments (square, wide and upright) and a muted looping clip for networks that do not accept GIFs.',
  tab: 'promotional',
  badge: 'popular',
  price: perEdit(250),
  // Three GIFs and a loop that do not show the same: 13.8 s.
  needs: { sound: false, minimumMs: 14_000 },
  options: noOptions,
  usesMoments: true,
  plan: (source, _options, context) => ok(planGifPack(source, context)),
  timeline: (source, _options, context) => ok(timelineOf(source, context)),
  preview: (source, _options, window, context) => ok(planGifPreview(source, window, context)),
})

function planGifPack(source: SourceProbe, context: PlanContext): RecipePlan {
  const shapes = gifShapes(source)
  const moments = momentsOf(source, context)
  const whole = wholeSource(source)
  return {
    files: [],
    steps: [
      ...shapes.map((shape, index) =>
        gifStep(whole, shape, moments.gifs[index] ?? moments.loop, context),
      ),
      loopStep(whole, moments.loop, context, fitInside(source, 1280, 720)),
    ],
    outputs: [...shapes.map((shape) => gifOutput(source, shape)), loopOutput(source)],
  }
}

function timelineOf(
  source: SourceProbe,
  context: Pick<PlanContext, 'moments'>,
): readonly TimelinePassage[] {
  const { gifs, loop } = momentsOf(source, context)
  const gifPassages = gifShapes(source).map((shape, index): TimelinePassage => {
    const { startMs, durationMs } = gifs[index] ?? loop
    return { startMs, endMs: startMs + durationMs, outputStartMs: 0, output: gifName(shape) }
  })
  return [
    ...gifPassages,
    {
      startMs: loop.startMs + loopFadeMs(loop),
      endMs: loop.startMs + loop.durationMs,
      outputStartMs: 0,
      output: LOOP,
    },
  ]
}

/**
 * Which moment each GIF and the clip show. A source too short for four different ones shows the
 * same in all.
 */
function momentsOf(
  source: SourceProbe,
  context: Pick<PlanContext, 'moments'>,
): { readonly gifs: readonly Passage[]; readonly loop: Passage } {
  const passages = pickPassages(source.durationMs, context.moments, [
    GIF_MS,
    GIF_MS,
    GIF_MS,
    LOOP_MS + LOOP_FADE_MS,
  ])
  const at = (index: number, durationMs: number): Passage =>
    passageAt(source, passages, index, durationMs)
  return {
    gifs: [at(0, GIF_MS), at(1, GIF_MS), at(2, GIF_MS)],
    loop: at(3, LOOP_MS + LOOP_FADE_MS),
  }
}

function passageAt(
  source: SourceProbe,
  passages: readonly Passage[],
  index: number,
  durationMs: number,
): Passage {
  const found = passages.length > 1 ? passages[index] : undefined
  const lengthMs = Math.min(durationMs, source.durationMs)
  return found ?? { startMs: Math.floor((source.durationMs - lengthMs) / 2), durationMs: lengthMs }
}
