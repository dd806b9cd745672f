import { definePreset } from '#recipes/define-preset.ts'
import { planGifPreview } from './preview.ts'
import {
  gifName,
  gifOutput,
  gifShapes,
  gifSteps,
  LOOP,
  LOOP_FADE_MS,
  loopFadeMs,
  loopOutput,
  loopStep,
  wholeSource,
} from './gif-steps.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { onlyMoments } from '#recipes/moment-options.ts'
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
  options: onlyMoments,
  usesMoments: true,
  plan: (source, options, context) => ok(planGifPack(source, options, context)),
  timeline: (source, options, context) => ok(timelineOf(source, options, context)),
  momentRule: ruleOf,
  preview: (source, _options, window, context) => ok(planGifPreview(source, window, context)),
})

function planGifPack(
  source: SourceProbe,
  options: MomentOptions,
  context: PlanContext,
): RecipePlan {
  const shapes = gifShapes(source)
  const moments = momentsOf(source, options, context)
  const whole = wholeSource(source)
  return {
    files: [],
    steps: [
      ...gifSteps(whole, moments.gifs, context),
      loopStep(whole, moments.loop, context, fitInside(source, 1280, 720)),
    ],
    outputs: [...shapes.map((shape) => gifOutput(source, shape)), loopOutput(source)],
  }
}

function timelineOf(
  source: SourceProbe,
  options: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): readonly TimelinePassage[] {
  const { gifs, loop } = momentsOf(source, options, context)
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

/** One moment for each file; a source too short for four different ones leaves no choice. */
function ruleOf(source: SourceProbe): MomentRule | null {
  if (pickPassages(source.durationMs, [], LENGTHS_MS).length < LENGTHS_MS.length) return null
  const gif = { lengthMs: GIF_MS, earliestMs: 0 }
  return {
    slots: [
      { name: 'Square GIF', ...gif },
      { name: 'Wide GIF', ...gif },
      { name: 'Upright GIF', ...gif },
      // Its end fades into what comes before it.
      { name: 'Looping video', lengthMs: LOOP_MS, earliestMs: LOOP_FADE_MS },
    ],
  }
}

/** Of the three GIFs, and of the loop with what its end fades into. */
const LENGTHS_MS = [GIF_MS, GIF_MS, GIF_MS, LOOP_MS + LOOP_FADE_MS] as const

/**
 * Which moment each GIF and the clip show. A source too short for four different ones shows the
 * same in all.
 */
function momentsOf(
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): { readonly gifs: readonly Passage[]; readonly loop: Passage } {
  const passages =
    choice === undefined
      ? pickPassages(source.durationMs, context.moments, LENGTHS_MS)
      : choice.shown.map(({ endMs }, index): Passage => {
          const durationMs = LENGTHS_MS[index] ?? GIF_MS
          return { startMs: Math.max(0, endMs - durationMs), durationMs }
        })
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
