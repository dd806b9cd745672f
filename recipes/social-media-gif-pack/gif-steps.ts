import {
  deliveryMp4,
  deliveryVideo,
  needs,
  steadyFrameRate,
  withoutTraces,
} from '#recipes/encoding.ts'
import { repeatsByCut } from '#recipes/alike-joints.ts'
import { cropFilter, cropIn } from '#recipes/crop-place.ts'
import { GIF_RATE, gifArgs, gifGraph, gifNeeds } from '#recipes/gif-encoding.ts'
import type { Passage } from '#recipes/passage-worth.ts'
import { outputFileName, seconds } from '#recipes/naming.ts'
import { framesIn, msOfFrames } from '#recipes/passage-steps.ts'
import { closedLoop, closedLoopFilters, countPictures, cutLoop } from '#recipes/picture-fades.ts'
import { cropTo, fitInside, matrixOf, toStandardPicture, type Size } from '#recipes/picture.ts'
import type {
  PlanContext,
  PlannedOutput,
  PlanInput,
  PlanPlace,
  PlanStep,
  ReadPictures,
  SourceProbe,
} from '#recipes/types.ts'

export const LOOP_FADE_MS = 800
export const LOOP = 'loop.mp4'

export interface GifShape {
  readonly id: string
  readonly buttonText: string
  readonly crop: Size
  readonly size: Size
}

/** What the files of a pack are cut from. */
export interface GifSource {
  readonly from: PlanPlace
  readonly probe: SourceProbe
  /** How its colours are meant. */
  readonly matrix: ReturnType<typeof matrixOf>
}

/** The uploaded video as it is. */
export function wholeSource(probe: SourceProbe): GifSource {
  return { from: { kind: 'source' }, probe, matrix: matrixOf(probe) }
}

/** What Discord takes; X takes 15 MB. */
const MOST_GIF_BYTES = 10_000_000

/** One way to make the GIFs of a pack: the sides of `gifShapes`, and the colours of a palette. */
interface GifTry {
  readonly side: number
  readonly uprightSide: number
  readonly colours: number
}

const BEST_TRY: GifTry = { side: 480, uprightSide: 640, colours: 192 }
/** From the best to the smallest. */
const TRIES: readonly GifTry[] = [
  BEST_TRY,
  { ...BEST_TRY, colours: 96 },
  // Within the limit whatever it shows: a pixel takes a byte and a half at most (codes of 12 bits,
  // one for each pixel), and 38 frames of 408x408 have 6.3 million.
  { side: 408, uprightSide: 544, colours: 96 },
]

/** @param side of the square GIF and long side of the wide one */
export function gifShapes(
  source: Size,
  { side, uprightSide }: Omit<GifTry, 'colours'> = BEST_TRY,
): readonly [GifShape, GifShape, GifShape] {
  // An upright source would give the same picture twice, so its wide GIF is cut out instead.
  const wide =
    source.width >= source.height
      ? {
          crop: { width: source.width, height: source.height },
          size: fitInside(source, side, side),
        }
      : cropTo(source, { width: side, height: side * 0.5625 })
  return [
    {
      id: 'gif-square',
      buttonText: 'Download square GIF',
      ...cropTo(source, { width: side, height: side }),
    },
    { id: 'gif-wide', buttonText: 'Download wide GIF', ...wide },
    {
      id: 'gif-upright',
      buttonText: 'Download upright GIF',
      ...cropTo(source, { width: uprightSide * 0.5625, height: uprightSide }),
    },
  ]
}

export function gifName(shape: Pick<GifShape, 'id'>): string {
  return `${shape.id}.gif`
}

export function loopOutput(source: SourceProbe): PlannedOutput {
  return {
    name: LOOP,
    buttonText: 'Download looping video',
    fileName: outputFileName(source.fileName, 'loop', 'mp4'),
    contentType: 'video/mp4',
    kind: 'video',
  }
}

export function gifOutput(source: SourceProbe, shape: GifShape): PlannedOutput {
  return {
    name: gifName(shape),
    buttonText: shape.buttonText,
    fileName: outputFileName(source.fileName, shape.id, 'gif'),
    contentType: 'image/gif',
    kind: 'gif',
  }
}

/** What GIFs are made with: the moments tell where something moves, and what looks alike. */
type GifContext = Pick<PlanContext, 'availableFilters'> & Partial<Pick<PlanContext, 'moments'>>

/**
 * The GIFs of a pack, and smaller tries of each: the first that keeps the limit stays.
 * @param passages one for each of `gifShapes`
 */
export function gifSteps(
  from: GifSource,
  passages: readonly Passage[],
  context: GifContext,
): readonly PlanStep[] {
  return TRIES.flatMap((each, rung) => {
    const shapes = gifShapes(from.probe, each)
    return passages.flatMap((passage, index): PlanStep[] => {
      const shape = shapes[index]
      if (shape === undefined) return []
      const step = gifStep(from, shape, passage, context, each.colours)
      if (rung === 0) return [step]
      return [
        {
          ...step,
          id: `${shape.id}-${rung + 1}`,
          // Few videos need it.
          weight: 0.1,
          skipWithin: { name: gifName(shape), bytes: MOST_GIF_BYTES },
        },
      ]
    })
  })
}

/** A GIF of one moment. Where moments are known, it is cut out around what moves. */
export function gifStep(
  { from, probe: source, matrix }: GifSource,
  shape: GifShape,
  passage: Passage,
  context: GifContext,
  colours = BEST_TRY.colours,
): PlanStep {
  const crop = cropIn(source, shape, passage, context.moments ?? [])
  const standard = toStandardPicture(source, crop.whole, context)
  // Where the beginning cannot be read, the length is still that of the passage.
  const exact = `fps=${GIF_RATE.text}:start_time=0,trim=duration=${seconds(passage.durationMs)}`
  const picture = `${exact},${standard.chain},${cropFilter(crop)}`
  return {
    id: shape.id,
    inputs: [
      passageOf(from, passage, {
        size: crop.whole,
        frameRate: GIF_RATE,
        frames: Math.ceil((passage.durationMs / 1000) * GIF_RATE.value),
      }),
    ],
    args: gifArgs(gifGraph(picture, matrix, colours), { kind: 'output', name: gifName(shape) }),
    outputDurationMs: passage.durationMs,
    weight: 1,
    needs: gifNeeds(['fps', 'trim', 'crop', ...standard.filters]),
  }
}

/** How long the end of the clip fades into what is before its beginning, where it does. */
export function loopFadeMs(passage: Passage): number {
  return Math.min(LOOP_FADE_MS, passage.durationMs / 3)
}

/**
 * A muted clip that is repeated. Where its end looks like its beginning, as in a shot of people, it
 * begins again by a cut; else its end fades into what is before it.
 */
export function loopStep(
  { from, probe: source, matrix }: GifSource,
  passage: Passage,
  context: GifContext,
  size: Size,
  { fadeMs, video }: { readonly fadeMs: number; readonly video: readonly string[] } = {
    fadeMs: loopFadeMs(passage),
    video: deliveryVideo(size),
  },
): PlanStep {
  const rate = steadyFrameRate(source)
  const standard = toStandardPicture(source, size, context)
  const shape = { frameRate: rate }
  const [frames, fadeFrames] = [framesIn(passage.durationMs, shape), framesIn(fadeMs, shape)]
  // Where the source ends early, its last picture stays: the fade would wait for another for ever.
  const all = `tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames}`
  const end = repeatsByCut(passage, fadeMs, context.moments ?? []) ? 'cut' : 'fade'
  const loop = end === 'cut' ? cutLoop(fadeFrames) : closedLoop(frames, fadeFrames, shape)
  const graph = `[0:V:0]fps=${rate.text}:start_time=0,${standard.chain},${all},${countPictures(shape)},${loop.join(';')}`
  return {
    id: 'loop',
    inputs: [passageOf(from, passage, { size, frameRate: rate, frames })],
    args: [
      '-filter_complex',
      graph,
      '-map',
      '[v]',
      '-an',
      ...withoutTraces,
      ...video,
      ...deliveryMp4,
      { kind: 'output', name: LOOP },
    ],
    outputDurationMs: msOfFrames(frames - fadeFrames, shape),
    weight: 2,
    needs: needs([...standard.filters, 'fps', 'tpad', 'settb', ...closedLoopFilters], ['libx264']),
    loop: { size, frameRate: rate, matrix, frames, fadeFrames, end },
  }
}

/** Scratch files are read whole. */
function passageOf(
  from: PlanPlace,
  { startMs, durationMs }: Passage,
  pictures: ReadPictures,
): PlanInput {
  return from.kind === 'scratch' ? { from } : { from, seekMs: startMs, durationMs, pictures }
}
