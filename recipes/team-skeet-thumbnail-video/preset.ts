import { definePreset } from '#recipes/define-preset.ts'
import { behindCuts, withoutGhosts } from '#recipes/alike-joints.ts'
import type { FramedPassage } from '#recipes/chosen-passages.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { onlyMoments } from '#recipes/moment-options.ts'
import { pickPassages } from '#recipes/pick-passages.ts'
import { outputFileName } from '#recipes/naming.ts'
import { framesIn, msOfFrames, rawPieceName, rawPieceStep } from '#recipes/passage-steps.ts'
import { fitInside, matrixOf } from '#recipes/picture.ts'
import { previewPassage } from '#recipes/preview-steps.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import type { PlanContext, RecipePlan, SourceProbe, TimelinePassage } from '#recipes/types.ts'
import { CIRCLE, circleStep, type CircleShape } from './circle-step.ts'

/** How many passages a listing shows, and for how long each. */
const CUTS = 5
const CUT_MS = 1600
/** Short enough to be felt as a cut; the last one leads back to the beginning. */
const FADE_MS = 200
/** Listings show it no larger. */
const LONG_SIDE = 480

/** Eight silent seconds of five passages, the last of which fades into the first. */
export const teamSkeetThumbnailVideo = definePreset({
  slug: 'team-skeet-thumbnail-video',
  name: 'Thumbnail Video',
  description: 'A few silent seconds that play when a visitor hovers over your video in a listing.',
  tab: 'promotional',
  price: perEdit(300),
  // Five passages that do not overlap.
  needs: { sound: false, minimumMs: 10_000 },
  options: onlyMoments,
  usesMoments: true,
  isOfPictures: true,
  plan: (source, options, context) => ok(planCircle(source, options, context)),
  timeline: (source, options, context) => ok(timelineOf(source, options, context)),
  momentRule: ruleOf,
  preview: (source, _options, window, context) =>
    ok(
      previewPassage(
        { ...source, hasAudio: false },
        window,
        {
          output: CIRCLE,
          fileName: outputFileName(source.fileName, 'thumbnail-preview', 'mp4'),
          frameRate: steadyFrameRate(source),
        },
        context,
      ),
    ),
})

function planCircle(source: SourceProbe, options: MomentOptions, context: PlanContext): RecipePlan {
  const shape = shapeOf(source)
  const { passages: whole, fadeFrames } = passagesOf(source, options, context)
  const room = { ...shape, fadeFrames }
  const passages = behindCuts(withoutGhosts(whole, context.moments, room, true), room)
  const pieces = passages.map(({ startMs, frames }, index) =>
    rawPieceStep(
      index + 1,
      { from: { kind: 'source' }, probe: source, startMs, frames },
      shape,
      context,
    ),
  )
  const circle = circleStep(
    passages.map(({ frames, isCutNext }, index) => ({
      name: rawPieceName(index + 1),
      frames,
      isCutNext,
    })),
    fadeFrames,
    shape,
  )
  return {
    files: [],
    steps: [...pieces, circle],
    outputs: [
      {
        name: CIRCLE,
        buttonText: 'Download thumbnail video',
        fileName: outputFileName(source.fileName, 'thumbnail', 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}

function shapeOf(source: SourceProbe): CircleShape {
  return {
    size: fitInside(source, LONG_SIDE, LONG_SIDE),
    frameRate: steadyFrameRate(source),
    hasAudio: false,
    matrix: matrixOf(source),
  }
}

function timelineOf(
  source: SourceProbe,
  options: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): readonly TimelinePassage[] {
  const shape = shapeOf(source)
  const { passages, fadeFrames } = passagesOf(source, options, context)
  let frame = 0
  return passages.map(({ startMs, frames }) => {
    const outputStartMs = msOfFrames(frame, shape)
    frame += frames - fadeFrames
    return {
      // The first frames of the first passage are the last that are seen; so it is with all.
      startMs: startMs + msOfFrames(fadeFrames, shape),
      endMs: Math.min(source.durationMs, startMs + msOfFrames(frames, shape)),
      outputStartMs,
      output: CIRCLE,
    }
  })
}

/** Five moments; a source that is too short to choose from leaves none. */
function ruleOf(source: SourceProbe): MomentRule | null {
  const shape = shapeOf(source)
  const { cutFrames, fadeFrames } = framesOf(source)
  if (passagesOf(source, {}, { moments: [] }).passages.length < CUTS) return null
  return {
    slots: Array.from({ length: CUTS }, (_, index) => ({
      name: `Moment ${index + 1}`,
      lengthMs: msOfFrames(cutFrames, shape),
      // What fades in before it.
      earliestMs: Math.floor(msOfFrames(fadeFrames, shape)),
    })),
  }
}

function framesOf(source: SourceProbe): {
  readonly cutFrames: number
  readonly fadeFrames: number
} {
  const shape = shapeOf(source)
  return { cutFrames: framesIn(CUT_MS, shape), fadeFrames: framesIn(FADE_MS, shape) }
}

/**
 * The passages in order, each with the frames of the fade that leads to the next. A source that is
 * too short to choose from gives one, out of its middle; a few frames have none to spare for a
 * fade.
 */
function passagesOf(
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): { readonly passages: readonly FramedPassage[]; readonly fadeFrames: number } {
  const shape = shapeOf(source)
  const { cutFrames, fadeFrames } = framesOf(source)
  const frames = cutFrames + fadeFrames
  if (choice !== undefined) {
    const fadeMs = msOfFrames(fadeFrames, shape)
    const passages = choice.shown.map((each) => ({
      startMs: Math.max(0, each.startMs - fadeMs),
      frames,
    }))
    return { passages, fadeFrames }
  }
  const found = pickPassages(
    source.durationMs,
    context.moments,
    Array.from({ length: CUTS }, () => msOfFrames(frames, shape)),
  )
  if (found.length === CUTS)
    return { passages: found.map(({ startMs }) => ({ startMs, frames })), fadeFrames }
  const durationMs = Math.min(CUTS * CUT_MS + FADE_MS, source.durationMs)
  const all = framesIn(durationMs, shape)
  return {
    passages: [{ startMs: Math.floor((source.durationMs - durationMs) / 2), frames: all }],
    fadeFrames: Math.min(fadeFrames, Math.floor(all / 3)),
  }
}
