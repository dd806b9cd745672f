import { cropIn, type Crop } from './crop-place.ts'
import { deliveryAudio, deliveryMp4, fromGraph, needs } from './encoding.ts'
import {
  framesIn,
  msOfFrames,
  pieceGraph,
  pieceInput,
  type Piece,
  type PieceShape,
} from './passage-steps.ts'
import { cropTo, fitInside, type Size } from './picture.ts'
import type { PlanContext, PlanStep, PreviewWindow, RecipePlan, SourceProbe } from './types.ts'

/** As much picture as a phone renders in acceptable time. */
export const PREVIEW_PICTURE_MS = 3000
/** Sound alone is quick to make, and a voice cannot be judged by two words. */
export const PREVIEW_SOUND_MS = 5000
/** Long side of a GIF in a preview. */
export const PREVIEW_GIF_SIDE = 320

/**
 * Video of previews. ffmpeg.wasm is some four times slower than ffmpeg, and `ultrafast` halves its
 * time; CRF 20 keeps what is seen as good as in the finished edit.
 */
export const previewVideo = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-crf',
  '20',
  '-pix_fmt',
  'yuv420p',
] as const

/** The source's shape at 480p or less, upright ones turned. */
export function previewSize(source: Size): Size {
  return fitInside(source, 854, 480)
}

/**
 * The window moved and shortened so that it lies inside the source; nonsense becomes the beginning.
 */
export function windowInside(
  source: Pick<SourceProbe, 'durationMs'>,
  window: PreviewWindow,
  limitMs: number,
): PreviewWindow {
  const asked = Number.isFinite(window.durationMs) ? Math.max(100, window.durationMs) : limitMs
  const durationMs = Math.min(asked, limitMs, source.durationMs)
  const startMs = Number.isFinite(window.startMs)
    ? Math.min(Math.max(0, window.startMs), source.durationMs - durationMs)
    : 0
  return { ...window, startMs, durationMs }
}

/** The moments tell what is cut out of the picture. */
type PassageContext = Pick<PlanContext, 'availableFilters'> & Partial<Pick<PlanContext, 'moments'>>

/** What the preview of an edit made of passages needs to know of it. */
export interface PassagePreview {
  /** The shape that the edit cuts out of the picture; left out = it shows all of it. */
  readonly shape?: Size
  readonly output: string
  readonly fileName: string
  readonly frameRate: PieceShape['frameRate']
  readonly soundFadeMs?: number
  /** Filters that the finished edit puts on its whole sound. */
  readonly sound?: string
}

/**
 * One passage as a video of its own: cut, timed and scaled by the same filters as a piece of the
 * finished edit.
 */
export function previewPassage(
  source: SourceProbe,
  window: PreviewWindow,
  edit: PassagePreview,
  context: PassageContext,
): RecipePlan {
  return {
    files: [],
    steps: [previewStep(source, window, edit, context)],
    outputs: [
      {
        name: edit.output,
        buttonText: 'Download preview',
        fileName: edit.fileName,
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}

/** Where the finished edit has it, as far as the moments are known. */
function smallCrop(
  source: SourceProbe,
  shape: Size,
  window: PreviewWindow,
  { moments = [] }: PassageContext,
): Crop {
  const small = previewSize(source)
  return cropIn(small, cropTo(small, shape), window, moments)
}

function previewStep(
  source: SourceProbe,
  window: PreviewWindow,
  edit: PassagePreview,
  context: PassageContext,
): PlanStep {
  const crop = edit.shape === undefined ? null : smallCrop(source, edit.shape, window, context)
  const shape: PieceShape = {
    size: crop?.part ?? previewSize(source),
    frameRate: edit.frameRate,
    hasAudio: source.hasAudio,
  }
  const piece: Piece = {
    from: { kind: 'source' },
    probe: source,
    startMs: window.startMs,
    frames: framesIn(window.durationMs, shape),
    ...(crop === null ? {} : { crop }),
    ...(edit.soundFadeMs === undefined ? {} : { soundFadeMs: edit.soundFadeMs }),
  }
  const durationMs = msOfFrames(piece.frames, shape)
  const after =
    edit.sound === undefined ? '' : `${edit.sound},atrim=duration=${(durationMs / 1000).toFixed(6)}`
  const { graph, filters } = pieceGraph(piece, shape, context, after)
  return {
    id: 'preview',
    inputs: [pieceInput(piece, shape)],
    args: [
      ...fromGraph(graph, source),
      ...previewVideo,
      ...(source.hasAudio ? deliveryAudio : []),
      ...deliveryMp4,
      { kind: 'output', name: edit.output },
    ],
    outputDurationMs: durationMs,
    weight: 1,
    needs: needs(
      [...filters, ...(edit.sound === undefined ? [] : ['loudnorm'])],
      ['libx264', ...(source.hasAudio ? ['aac'] : [])],
    ),
  }
}
