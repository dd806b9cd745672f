import { definePreset } from '#recipes/define-preset.ts'
import { peoplePassages } from './people-passages.ts'
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
import { NO_PEOPLE, withFraming } from '#recipes/heads.ts'
import { lengthOf, type MomentOptions, type MomentRule } from '#recipes/moment-choice.ts'
import { onlyMoments } from '#recipes/moment-options.ts'
import type { Passage } from '#recipes/passage-worth.ts'
import { pickFor, pickPassages } from '#recipes/pick-passages.ts'
import { fitInside } from '#recipes/picture.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, RecipePlan, SourceProbe, TimelinePassage } from '#recipes/types.ts'

const GIF_MS = 3000
const LOOP_MS = 4000
/** Shorter ones too, before a clip shows no one: people are often in short shots. */
const LEAST_LOOP_MS = 2400
const LOOP_LENGTHS_MS = [LOOP_MS, 3200, LEAST_LOOP_MS] as const

/**
 * Three GIFs in the shapes that networks show, and a muted clip that is repeated, for those that
 * take no GIF.
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
  isOfPictures: true,
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
      startMs: shownOf(loop).startMs,
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
      // Its end may fade into what comes before it.
      {
        name: 'Looping video',
        lengthMs: LOOP_MS,
        leastMs: LEAST_LOOP_MS,
        earliestMs: LOOP_FADE_MS,
      },
    ],
  }
}

/** Of the three GIFs, and of the loop with what its end fades into. */
const LENGTHS_MS = [GIF_MS, GIF_MS, GIF_MS, LOOP_MS + LOOP_FADE_MS] as const
const LOOP_PLACE = 3

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
      ? pickedIn(source, context)
      : choice.shown.map((each, index): Passage => {
          const durationMs = index === LOOP_PLACE ? lengthOf(each) + LOOP_FADE_MS : GIF_MS
          return { startMs: Math.max(0, each.endMs - durationMs), durationMs }
        })
  const at = (index: number, durationMs: number): Passage =>
    passageAt(source, passages, index, durationMs)
  return {
    gifs: [at(0, GIF_MS), at(1, GIF_MS), at(2, GIF_MS)],
    loop: at(LOOP_PLACE, LOOP_MS + LOOP_FADE_MS),
  }
}

/** People in every file that can have them, whole in its shape. */
function pickedIn(
  source: SourceProbe,
  { moments }: Pick<PlanContext, 'moments'>,
): readonly Passage[] {
  const usual = pickFor(NO_PEOPLE, source.durationMs, withFraming(moments), LENGTHS_MS)
  const gifs = gifShapes(source).map(({ crop }) => ({ crop, lengthsMs: [GIF_MS], leadMs: 0 }))
  const loop = { crop: source, lengthsMs: LOOP_LENGTHS_MS, leadMs: LOOP_FADE_MS }
  return peoplePassages(source, moments, [...gifs, loop], usual)
}

/** What the loop shows: its end may fade into what is before it. */
function shownOf(loop: Passage): Passage {
  const fadeMs = loopFadeMs(loop)
  return { startMs: loop.startMs + fadeMs, durationMs: loop.durationMs - fadeMs }
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
