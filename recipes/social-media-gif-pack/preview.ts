import { needs, withoutTraces } from '#recipes/encoding.ts'
import { GIF_RATE } from '#recipes/gif-encoding.ts'
import {
  gifName,
  gifOutput,
  gifShapes,
  gifStep,
  LOOP,
  loopFadeMs,
  loopOutput,
  loopStep,
  wholeSource,
  type GifSource,
} from './gif-steps.ts'
import { even, matrixOf, toStandardPicture, type Size } from '#recipes/picture.ts'
import { PREVIEW_GIF_SIDE, previewVideo } from '#recipes/preview-steps.ts'
import type {
  PlanContext,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'

type Filters = Pick<PlanContext, 'availableFilters'>
type Context = Filters & Partial<Pick<PlanContext, 'moments'>>

const COPY = 'moment.y4m'

/**
 * One file of the pack, or, when none is named, all of one moment: a video that is slow to decode
 * is decoded once then.
 */
export function planGifPreview(
  source: SourceProbe,
  window: PreviewWindow,
  context: Context,
): RecipePlan {
  if (window.output === undefined) return planTogether(source, window, context)
  if (window.output === LOOP) {
    // The loop begins behind what it fades back into, and so does the timeline.
    const fadeMs = loopFadeMs(window)
    const startMs = Math.max(0, window.startMs - fadeMs)
    const passage = {
      startMs,
      durationMs: Math.min(window.durationMs + fadeMs, source.durationMs - startMs),
    }
    return {
      files: [],
      steps: [
        loopStep(wholeSource(source), passage, context, smallSize(source), {
          fadeMs,
          video: previewVideo,
        }),
      ],
      outputs: [loopOutput(source)],
    }
  }
  const shapes = shapesOf(source)
  const shape = shapes.find((each) => gifName(each) === window.output) ?? shapes[0]
  return {
    files: [],
    steps: [gifStep(wholeSource(source), shape, window, context)],
    outputs: [gifOutput(source, shape)],
  }
}

/** First a small copy, in the GIFs' own frame rate, then each file from it. */
function planTogether(source: SourceProbe, window: PreviewWindow, context: Context): RecipePlan {
  const { startMs, durationMs } = window
  const copy: GifSource = {
    from: { kind: 'scratch', name: COPY },
    matrix: matrixOf(source),
    probe: { ...source, ...smallSize(source), durationMs, frameRate: GIF_RATE.value, isHdr: false },
  }
  const shapes = shapesOf(copy.probe)
  const passage = { startMs: 0, durationMs }
  // The copy begins at the window.
  const moments = (context.moments ?? []).map((one) => ({ ...one, atMs: one.atMs - startMs }))
  return {
    files: [],
    steps: [
      copyStep(source, window, context),
      ...shapes.map((shape) => gifStep(copy, shape, passage, { ...context, moments })),
      loopStep(copy, passage, { ...context, moments }, copy.probe, {
        fadeMs: loopFadeMs(passage),
        video: previewVideo,
      }),
    ],
    outputs: [...shapes.map((shape) => gifOutput(source, shape)), loopOutput(source)],
  }
}

/** Uncompressed: a few MB. */
function copyStep(
  source: SourceProbe,
  { startMs, durationMs }: PreviewWindow,
  context: Filters,
): PlanStep {
  const standard = toStandardPicture(source, smallSize(source), context)
  return {
    id: 'moment',
    inputs: [{ from: { kind: 'source' }, seekMs: startMs, durationMs }],
    args: [
      '-map',
      '0:V:0',
      '-an',
      '-vf',
      `fps=${GIF_RATE.text},${standard.chain}`,
      ...withoutTraces,
      '-c:v',
      'wrapped_avframe',
      '-f',
      'yuv4mpegpipe',
      { kind: 'scratch', name: COPY },
    ],
    outputDurationMs: durationMs,
    // Decoding is most of the work.
    weight: 8,
    needs: needs(['fps', ...standard.filters], ['wrapped_avframe']),
  }
}

function shapesOf(source: SourceProbe): ReturnType<typeof gifShapes> {
  return gifShapes(source, { side: PREVIEW_GIF_SIDE, uprightSide: PREVIEW_GIF_SIDE })
}

/** The source's shape with so short a side as previews of GIFs need. */
function smallSize({ width, height }: Size): Size {
  const factor = Math.min(1, PREVIEW_GIF_SIDE / Math.min(width, height))
  return { width: even(width * factor), height: even(height * factor) }
}
