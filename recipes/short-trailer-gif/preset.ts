import { definePreset } from '#recipes/define-preset.ts'
import {
  framedChoice,
  ruleOfFrames,
  type FramedPassage,
  type FrameRoom,
} from '#recipes/chosen-passages.ts'
import { GIF_RATE, gifArgs, gifGraph, gifNeeds } from '#recipes/gif-encoding.ts'
import type { MomentOptions, MomentRule } from '#recipes/moment-choice.ts'
import { withMoments } from '#recipes/moment-options.ts'
import type { Passage } from '#recipes/passage-worth.ts'
import { numbered, outputFileName, seconds } from '#recipes/naming.ts'
import { framesIn, msOfFrames, rawPieceName, rawPieceStep } from '#recipes/passage-steps.ts'
import { fitInside, matrixOf, toStandardPicture } from '#recipes/picture.ts'
import { PREVIEW_GIF_SIDE } from '#recipes/preview-steps.ts'
import { perEdit } from '#recipes/pricing.ts'
import { ok, type Result } from '#recipes/result.ts'
import type {
  PlanContext,
  PlannedOutput,
  PlanProblem,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from '#recipes/types.ts'
import { shortTrailerGifOptions, type ShortTrailerGifOptions } from './options.ts'
import { TRAILER_CUTS, trailerPassages } from './passages.ts'

/** What every messenger takes as a picture that moves. */
const MOST_BYTES = 8_000_000

/**
 * From the best to the smallest: the first GIF within the limit is kept. The last stays within it
 * whatever it shows: a pixel takes a byte and a half at most (codes of 12 bits, one for each
 * pixel), and 70 frames of 240x240 have four million.
 */
const LADDER = [
  { side: 480, colours: 192 },
  { side: 480, colours: 96 },
  { side: 480, colours: 48 },
  { side: 400, colours: 64 },
  { side: 360, colours: 48 },
  { side: 320, colours: 48 },
  { side: 320, colours: 24 },
  { side: 240, colours: 32 },
] as const

const GIF = 'trailer.gif'
const LIST = 'pieces.txt'

/** Four passages of a second or two as one GIF, never larger than 8 MB. */
export const shortTrailerGif = definePreset({
  slug: 'short-trailer-gif',
  name: 'Short Trailer GIF',
  description: 'A trailer of a few seconds as one GIF, small enough to send in a message.',
  tab: 'promotional',
  price: perEdit(200),
  needs: { sound: false, minimumMs: 8000 },
  options: withMoments(shortTrailerGifOptions),
  usesMoments: true,
  isOfPictures: true,
  plan: (source, options, context) => {
    const found = passagesOf(source, options, context)
    return found.ok ? ok(planTrailerGif(source, found.value, context)) : found
  },
  timeline: (source, options, context) => {
    const found = passagesOf(source, options, context)
    return found.ok ? ok(timelineOf(source, found.value)) : found
  },
  momentRule: ruleOf,
  preview: (source, _options, window, context) => ok(planPreview(source, window, context)),
})

/** The moments that the creator chose, or the best that the search found. */
function passagesOf(
  source: SourceProbe,
  options: ShortTrailerGifOptions & MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): Result<readonly FramedPassage[], PlanProblem> {
  if (options.moments !== undefined)
    return framedChoice(options.moments, source, roomOf(source, options))
  return ok(framed(trailerPassages(source, options, context)))
}

function ruleOf(source: SourceProbe, options: ShortTrailerGifOptions): MomentRule | null {
  const isTooShort = trailerPassages(source, options, NO_MOMENTS).length < TRAILER_CUTS
  return isTooShort ? null : ruleOfFrames(roomOf(source, options), LEAST_MS)
}

const NO_MOMENTS = { moments: [] }
/** A shorter moment is a flash. */
const LEAST_MS = 400

/** Whatever is chosen, the GIF is as long as it would be by itself. */
function roomOf(source: SourceProbe, options: ShortTrailerGifOptions): FrameRoom {
  const usual = framed(trailerPassages(source, options, NO_MOMENTS))
  return {
    frameRate: GIF_RATE,
    totalFrames: usual.reduce((sum, { frames }) => sum + frames, 0),
    fadeFrames: 0,
  }
}

function framed(passages: readonly Passage[]): readonly FramedPassage[] {
  return passages.map(({ startMs, durationMs }) => ({
    startMs,
    frames: framesIn(durationMs, { frameRate: GIF_RATE }),
  }))
}

function planTrailerGif(
  source: SourceProbe,
  pieces: readonly FramedPassage[],
  context: PlanContext,
): RecipePlan {
  const [{ side }] = LADDER
  const shape = { size: fitInside(source, side, side), frameRate: GIF_RATE, hasAudio: false }
  const steps = pieces.map(({ startMs, frames }, index) =>
    rawPieceStep(
      index + 1,
      { from: { kind: 'source' }, probe: source, startMs, frames },
      shape,
      context,
    ),
  )
  // ffmpeg guesses how long a file of plain pictures is.
  const list = pieces.flatMap(({ frames }, index) => [
    `file ${rawPieceName(index + 1)}`,
    `duration ${seconds(msOfFrames(frames, shape))}`,
  ])
  const durationMs = msOfFrames(
    pieces.reduce((sum, { frames }) => sum + frames, 0),
    shape,
  )
  return {
    files: [{ name: LIST, text: `ffconcat version 1.0\n${list.join('\n')}\n` }],
    steps: [...steps, ...LADDER.map((_, rung) => rungStep(source, rung, durationMs))],
    outputs: [outputOf(source)],
  }
}

/** One try: the same pieces, at the size and with the colours of a rung. */
function rungStep(source: SourceProbe, rung: number, durationMs: number): PlanStep {
  const { side, colours } = LADDER[rung] ?? LADDER[0]
  const { width, height } = fitInside(source, side, side)
  const picture = `scale=${width}:${height}:flags=bicubic,setsar=1`
  return {
    id: `gif-${numbered(rung + 1)}`,
    inputs: [{ from: { kind: 'scratch', name: LIST }, flags: ['-f', 'concat'] }],
    args: gifArgs(gifGraph(picture, matrixOf(source), colours), { kind: 'output', name: GIF }),
    outputDurationMs: durationMs,
    weight: durationMs / 2,
    needs: gifNeeds(['setsar']),
    ...(rung === 0 ? {} : { skipWithin: { name: GIF, bytes: MOST_BYTES } }),
  }
}

function timelineOf(
  source: SourceProbe,
  passages: readonly FramedPassage[],
): readonly TimelinePassage[] {
  let outputStartMs = 0
  return passages.map(({ startMs, frames }) => {
    const durationMs = msOfFrames(frames, { frameRate: GIF_RATE })
    const endMs = Math.min(source.durationMs, startMs + durationMs)
    const passage = { startMs, endMs, outputStartMs, output: GIF }
    outputStartMs += durationMs
    return passage
  })
}

function planPreview(
  source: SourceProbe,
  { startMs, durationMs }: PreviewWindow,
  context: Pick<PlanContext, 'availableFilters'>,
): RecipePlan {
  const size = fitInside(source, PREVIEW_GIF_SIDE, PREVIEW_GIF_SIDE)
  const standard = toStandardPicture(source, size, context)
  const picture = `fps=${GIF_RATE.text},${standard.chain}`
  return {
    files: [],
    steps: [
      {
        id: 'preview',
        inputs: [{ from: { kind: 'source' }, seekMs: startMs, durationMs }],
        args: gifArgs(gifGraph(picture, matrixOf(source), LADDER[0].colours), {
          kind: 'output',
          name: GIF,
        }),
        outputDurationMs: durationMs,
        weight: 1,
        needs: gifNeeds(['fps', ...standard.filters]),
      },
    ],
    outputs: [outputOf(source)],
  }
}

function outputOf(source: SourceProbe): PlannedOutput {
  return {
    name: GIF,
    buttonText: 'Download trailer GIF',
    fileName: outputFileName(source.fileName, 'trailer', 'gif'),
    contentType: 'image/gif',
    kind: 'gif',
  }
}
