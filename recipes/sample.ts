/**
 * Some seconds of a video before and after an edit of the whole of it, made by the server: a small
 * passage is cut out, and the plan of the edit is made for that as if it were the video.
 */
import type { Crop } from './crop-place.ts'
import { deliveryAudio, deliveryMp4, fromGraph, needs, steadyFrameRate } from './encoding.ts'
import { isReviewed } from './face-cover/reviewed.ts'
import { readHeads } from './heads.ts'
import { framesIn, msOfFrames, pieceGraph, pieceInput, type PieceShape } from './passage-steps.ts'
import { even, fitInside, matrixOf, type Size } from './picture.ts'
import { findRecipe } from './presets.ts'
import type { Recipe } from './recipe.ts'
import type { Stretch } from './stretch.ts'
import type { Moment, PlanContext, RecipePlan, SourceProbe } from './types.ts'

/** Long enough for a sentence and a pause, by which noise is known. */
export const SAMPLE_MS = 8000
/** As large as the pictures in which faces are searched, so that the same ones are found. */
const PICTURE: Size = { width: 960, height: 540 }
/** A part of the picture at its own size. */
const DETAIL: Size = { width: 640, height: 360 }
/** The name of the passage in its folder. */
export const PASSAGE = 'before.mp4'

/**
 * The recipe of a preset that has samples: it shows the whole video. Edits of passages are shown by
 * the passages themselves.
 */
export function sampledRecipe(slug: string): Recipe | null {
  const recipe = findRecipe(slug)
  return recipe === undefined || recipe.timeline !== undefined ? null : recipe
}

/**
 * Where the passage lies: where most is to be seen of what the search found, for
 * edits of faces where most heads are; without moments, in the middle. No call chooses it, so that
 * samples do not add up to the video.
 */
export function sampleStretch(
  slug: string,
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  moments: readonly Moment[],
): Stretch {
  const lengthMs = Math.min(SAMPLE_MS, durationMs)
  const latestMs = durationMs - lengthMs
  const worthOf = (startMs: number): number =>
    moments
      .filter(({ atMs }) => atMs >= startMs && atMs < startMs + lengthMs)
      .reduce((sum, moment) => sum + worth(moment, isReviewed(slug)), 0)
  let best = { startMs: latestMs / 2, worth: 0 }
  for (const { atMs } of moments) {
    const startMs = Math.min(atMs, latestMs)
    const worth = worthOf(startMs)
    if (worth > best.worth) best = { startMs, worth }
  }
  const startMs = Math.round(best.startMs)
  return { startMs, endMs: Math.round(startMs + lengthMs) }
}

const FACE_WORTH = 10

function worth({ shows, score, lengthMs, heads = '' }: Moment, ofFaces: boolean): number {
  if (shows === 'black' || shows === 'title' || shows === 'unseen') return 0
  const faces = ofFaces && readHeads(heads).length > 0 ? FACE_WORTH : 0
  return ((0.1 + score + faces) * lengthMs) / 1000
}

/** The passage as a step that cuts it, and what it is then. */
export interface Passage {
  readonly plan: RecipePlan
  readonly probe: SourceProbe
}

/** Cuts the passage of a sample, whole and small, or its middle where the edit is one of detail. */
export function cutPassage(
  source: SourceProbe,
  stretch: Stretch,
  { isOfDetail }: Pick<Recipe, 'isOfDetail'>,
  context: Pick<PlanContext, 'availableFilters'>,
): Passage {
  const crop = isOfDetail ? middleOf(source) : null
  const shape: PieceShape = {
    size: crop?.part ?? fitInside(source, PICTURE.width, PICTURE.height),
    frameRate: steadyFrameRate(source),
    hasAudio: source.hasAudio,
  }
  const frames = framesIn(stretch.endMs - stretch.startMs, shape)
  const piece = {
    from: { kind: 'source' } as const,
    probe: source,
    startMs: stretch.startMs,
    frames,
    ...(crop === null ? {} : { crop }),
  }
  const durationMs = msOfFrames(frames, shape)
  const { graph, filters } = pieceGraph(piece, shape, context)
  const plan: RecipePlan = {
    files: [],
    steps: [
      {
        id: 'passage',
        inputs: [pieceInput(piece, shape)],
        args: [
          ...fromGraph(graph, source),
          ...passageVideo(isOfDetail),
          ...(source.hasAudio ? deliveryAudio : []),
          ...deliveryMp4,
          { kind: 'scratch', name: PASSAGE },
        ],
        outputDurationMs: durationMs,
        weight: durationMs,
        needs: needs(filters, ['libx264', ...(source.hasAudio ? ['aac'] : [])]),
      },
    ],
    outputs: [],
  }
  return { plan, probe: probeOf(source, shape, durationMs) }
}

/** Grain stays, or an edit would have none to take off; the rates bound what is stored. */
function passageVideo(isOfDetail: boolean): readonly string[] {
  const quality = isOfDetail
    ? ['-crf', '14', '-maxrate', '6M', '-bufsize', '6M']
    : ['-crf', '17', '-maxrate', '3M', '-bufsize', '6M']
  return ['-c:v', 'libx264', '-preset', 'veryfast', ...quality, '-pix_fmt', 'yuv420p']
}

/** What is measured of a video and follows into the passage: its grain and its channels. */
function probeOf(
  source: SourceProbe,
  { size, frameRate }: PieceShape,
  durationMs: number,
): SourceProbe {
  const { hasAudio, soundWidthDb, grain, colorMatrix } = source
  return {
    durationMs,
    ...size,
    frameRate: frameRate.value,
    hasAudio,
    videoCodec: 'h264',
    audioCodec: hasAudio ? 'aac' : null,
    audioChannels: hasAudio ? 2 : 0,
    ...(soundWidthDb === undefined ? {} : { soundWidthDb }),
    ...(grain === undefined ? {} : { grain }),
    ...(colorMatrix === undefined ? {} : { colorMatrix: matrixOf(source) }),
    pixelFormat: 'yuv420p',
    isHdr: false,
    fileName: 'sample.mp4',
  }
}

function middleOf(source: SourceProbe): Crop {
  const whole = fitInside(source, 3840, 3840)
  const [wide, high] =
    whole.width >= whole.height ? [DETAIL.width, DETAIL.height] : [DETAIL.height, DETAIL.width]
  const part = { width: Math.min(wide, whole.width), height: Math.min(high, whole.height) }
  const offset = (all: number, of: number): number => (all === of ? 0 : even((all - of) / 2))
  return {
    whole,
    part,
    left: offset(whole.width, part.width),
    top: offset(whole.height, part.height),
  }
}
