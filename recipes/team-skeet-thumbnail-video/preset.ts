import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { steadyFrameRate } from '#recipes/encoding.ts'
import { pickPassages } from '#recipes/moments.ts'
import { outputFileName } from '#recipes/naming.ts'
import { framesIn, msOfFrames, pieceName, pieceStep } from '#recipes/passage-steps.ts'
import { fitInside } from '#recipes/picture.ts'
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
  options: noOptions,
  usesMoments: true,
  plan: (source, _options, context) => ok(planCircle(source, context)),
  timeline: (source, _options, context) => ok(timelineOf(source, context)),
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

function planCircle(source: SourceProbe, context: PlanContext): RecipePlan {
  const shape = shapeOf(source)
  const { passages, fadeFrames } = passagesOf(source, context)
  const pieces = passages.map(({ startMs, frames }, index) =>
    pieceStep(
      index + 1,
      { from: { kind: 'source' }, probe: source, startMs, frames },
      shape,
      context,
    ),
  )
  const circle = circleStep(
    passages.map(({ frames }, index) => ({ name: pieceName(index + 1), frames })),
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
  }
}

function timelineOf(
  source: SourceProbe,
  context: Pick<PlanContext, 'moments'>,
): readonly TimelinePassage[] {
  const shape = shapeOf(source)
  const { passages, fadeFrames } = passagesOf(source, context)
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

/**
 * The passages in order, each with the frames of the fade that leads to the next. A source that is
 * too short to choose from gives one, out of its middle; a few frames have none to spare for a
 * fade.
 */
function passagesOf(
  source: SourceProbe,
  context: Pick<PlanContext, 'moments'>,
): {
  readonly passages: readonly { readonly startMs: number; readonly frames: number }[]
  readonly fadeFrames: number
} {
  const shape = shapeOf(source)
  const fadeFrames = framesIn(FADE_MS, shape)
  const frames = framesIn(CUT_MS, shape) + fadeFrames
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
