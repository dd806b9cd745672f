/**
 * The steps that cut passages out of a source and join them. It is one file because what one step
 * writes, rates, sizes and sounds, the next one reads.
 */
import { cropFilter, type Crop } from './crop-place.ts'
import {
  deliveryAudio,
  deliveryMp4,
  deliveryVideo,
  fromGraph,
  intermediateAudio,
  needs,
  withoutTraces,
} from './encoding.ts'
import type { LevelledInput } from './loudness.ts'
import { numbered, seconds } from './naming.ts'
import {
  hasAlpha,
  onGround,
  onTime,
  saysMatrix,
  toStandardPicture,
  type Matrix,
  type Size,
} from './picture.ts'
import { onItsTracks } from './print-args.ts'
import type { PlanContext, PlanFile, PlanInput, PlanPlace, PlanStep, SourceProbe } from './types.ts'

/** What all pieces of one edit have in common, so that they can be joined without another look. */
export interface PieceShape {
  readonly size: Size
  readonly frameRate: { readonly text: string; readonly value: number }
  /** Whether the edit has sound; a piece without its own then gets silence. */
  readonly hasAudio: boolean
  /**
   * How all pieces store their colours, where files of several origins are joined; left out = as
   * the source does.
   */
  readonly matrix?: Matrix
  /** The picture is made in another way, so that only the sound is left to ffmpeg. */
  readonly isSoundOnly?: boolean
}

/** One piece of an edit: a passage of a video, cut to a whole number of frames. */
export interface Piece {
  readonly from: PlanPlace
  readonly probe: SourceProbe
  readonly startMs: number
  readonly frames: number
  /**
   * Whole pictures are padded into the shape instead of being stretched; needed where shapes may
   * differ.
   */
  readonly padded?: boolean
  /** The part of the picture that is shown, in the size of the shape; left out = all of it. */
  readonly crop?: Crop
  /** A still image, held for the length of the piece. */
  readonly isImage?: boolean
  /** Length of the fades at both ends of the sound, against clicks at hard cuts. */
  readonly soundFadeMs?: number
}

/** Bars beside a picture of another shape are black, and so is what a logo does not cover. */
const BLACK = 0

/** Name of the scratch file of a piece (counted from 1). */
export function pieceName(number: number): string {
  return `piece-${numbered(number)}.mov`
}

/** Frames in a length of time, at least 1. */
export function framesIn(durationMs: number, shape: Pick<PieceShape, 'frameRate'>): number {
  return Math.max(1, Math.round((durationMs / 1000) * shape.frameRate.value))
}

/** Length of a number of frames. */
export function msOfFrames(frames: number, shape: Pick<PieceShape, 'frameRate'>): number {
  return (frames / shape.frameRate.value) * 1000
}

/**
 * One step that cuts one piece into a scratch file, encoded for delivery: exact number of frames,
 * constant rate, uncompressed sound of exactly the same length. It seeks before it opens, so the
 * place in a long source costs nothing, and pieces are made one at a time, so memory does not grow
 * with their number.
 */
export function pieceStep(
  number: number,
  piece: Piece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
): PlanStep {
  return scratchStep(number, piece, shape, context, {
    name: pieceName(number),
    args: [...deliveryVideo(shape.size), '-video_track_timescale', '90000', '-f', 'mov'],
    encoder: 'libx264',
  })
}

/**
 * The same for a small piece that a later step encodes: its pictures are kept as they are, so they
 * are encoded once. Ten seconds of 480p take 60 MB. The file says nothing of its colours. Without
 * sound and bars: both callers have neither.
 */
export function rawPieceStep(
  number: number,
  piece: Piece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
): PlanStep {
  const step = scratchStep(number, piece, shape, context, {
    name: rawPieceName(number),
    args: ['-c:v', 'rawvideo', '-f', 'nut'],
    encoder: 'rawvideo',
  })
  const { frames, crop } = piece
  const pictures = { size: crop?.whole ?? shape.size, frameRate: shape.frameRate, frames }
  return { ...step, inputs: step.inputs.map((input) => ({ ...input, pictures })) }
}

/** Name of the scratch file of a piece (counted from 1) that a later step encodes. */
export function rawPieceName(number: number): string {
  return `piece-${numbered(number)}.nut`
}

interface ScratchFile {
  readonly name: string
  readonly args: readonly string[]
  readonly encoder: string
}

function scratchStep(
  number: number,
  piece: Piece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
  { name, args, encoder }: ScratchFile,
): PlanStep {
  const durationMs = msOfFrames(piece.frames, shape)
  const { graph, filters } = pieceGraph(piece, shape, context)
  return {
    id: `piece-${numbered(number)}`,
    inputs: [pieceInput(piece, shape)],
    args: [
      ...fromGraph(graph, { ...shape, hasPicture: shape.isSoundOnly !== true }),
      ...(shape.hasAudio ? intermediateAudio : []),
      ...(shape.isSoundOnly === true ? ['-f', 'mov'] : args),
      { kind: 'scratch', name },
    ],
    outputDurationMs: durationMs,
    weight: durationMs,
    needs: needs(filters, [
      ...(shape.isSoundOnly === true ? [] : [encoder]),
      ...(shape.hasAudio ? ['pcm_s16le'] : []),
    ]),
  }
}

/**
 * What is read for one piece: half a second more than it needs, because the last frame of a
 * variable-rate source may come late.
 */
export function pieceInput(piece: Piece, shape: Pick<PieceShape, 'frameRate'>): PlanInput {
  const durationMs = msOfFrames(piece.frames, shape) + 500
  // Where the nearest picture begins: from between two, the sound would be up to half of one off.
  const pictures = Math.round((piece.startMs / 1000) * shape.frameRate.value)
  const seekMs = Math.floor(msOfFrames(pictures, shape))
  return piece.isImage === true
    ? { from: piece.from, flags: ['-loop', '1', '-framerate', shape.frameRate.text], durationMs }
    : { from: piece.from, seekMs, durationMs, ...onItsTracks(piece.probe) }
}

/**
 * The filter graph of one piece: from the first input to `[v]` and, where the edit has sound,
 * `[a]`.
 * @param afterSound more sound filters, for an edit that ends with this piece
 */
export function pieceGraph(
  piece: Piece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
  afterSound = '',
): { readonly graph: string; readonly filters: readonly string[] } {
  const sound = soundChain(piece, msOfFrames(piece.frames, shape), afterSound)
  if (shape.isSoundOnly === true) return sound
  const picture = pictureChain(piece, shape, context)
  if (!shape.hasAudio) return picture
  return {
    graph: `${picture.graph};${sound.graph}`,
    filters: [...picture.filters, ...sound.filters],
  }
}

function pictureChain(
  piece: Piece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
): { graph: string; filters: readonly string[] } {
  const { width, height } = shape.size
  const isPadded = piece.padded === true
  const inner = isPadded ? innerSize(piece.probe, shape.size) : (piece.crop?.whole ?? shape.size)
  const standard = toStandardPicture(
    piece.probe,
    inner,
    context,
    isPadded ? shape.matrix : undefined,
  )
  const ground = isPadded && hasAlpha(piece.probe) ? `${onGround(BLACK)},` : ''
  const crop = piece.crop === undefined ? '' : `,${cropFilter(piece.crop)}`
  const pad = isPadded ? `,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=black` : ''
  const says = shape.matrix === undefined ? '' : `,${saysMatrix(shape.matrix)}`
  // The rate comes first, so that frames which are dropped are not scaled. A source that ends
  // early gets its last frame again, so that picture and sound stay equally long, and no fade waits
  // for pictures that do not come.
  const exact = `tpad=stop=-1:stop_mode=clone,trim=end_frame=${piece.frames},setpts=PTS-STARTPTS`
  return {
    graph: `[0:V:0]${onTime(piece.probe)}fps=${shape.frameRate.text}:start_time=0,${ground}${standard.chain}${crop}${pad}${says},${exact}[v]`,
    filters: [
      ...standard.filters,
      ...(crop === '' ? [] : ['crop']),
      ...(isPadded ? ['pad'] : []),
      ...(ground === '' ? [] : ['split', 'lutrgb', 'overlay']),
      ...(says === '' ? [] : ['setparams']),
      'fps',
      'tpad',
      'trim',
      'setpts',
    ],
  }
}

function soundChain(
  piece: Piece,
  durationMs: number,
  after: string,
): { graph: string; filters: readonly string[] } {
  const length = (durationMs / 1000).toFixed(6)
  const fadeMs = Math.min(piece.soundFadeMs ?? 0, durationMs / 3)
  const fades =
    fadeMs > 0
      ? `,afade=t=in:d=${seconds(fadeMs)},afade=t=out:st=${seconds(durationMs - fadeMs)}:d=${seconds(fadeMs)}`
      : ''
  const common = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'
  if (piece.probe.hasAudio && piece.isImage !== true) {
    return {
      // `async` fills holes and `first_pts` the start, so that the sound stays under its picture.
      graph: `[0:a:0]aresample=48000:async=1:first_pts=0,${common},apad,atrim=duration=${length},asetpts=PTS-STARTPTS${fades}${after === '' ? '' : `,${after}`}[a]`,
      filters: ['aresample', 'aformat', 'apad', 'atrim', 'asetpts', 'afade'],
    }
  }
  return {
    graph: `anullsrc=r=48000:cl=stereo,${common},atrim=duration=${length}[a]`,
    filters: ['anullsrc', 'aformat', 'atrim'],
  }
}

function innerSize(probe: Size, box: Size): Size {
  const factor = Math.min(box.width / probe.width, box.height / probe.height)
  const within = (pixels: number, limit: number): number =>
    Math.min(limit, Math.max(2, Math.round((pixels * factor) / 2) * 2))
  return { width: within(probe.width, box.width), height: within(probe.height, box.height) }
}

/** Pieces that are made, and what becomes of them. */
export interface Joined {
  readonly count: number
  readonly durationMs: number
  readonly output: PlanPlace
  /** Left out where the pieces have none. */
  readonly sound?: LevelledInput['sound']
  /** The pieces have no picture. */
  readonly isSoundOnly?: boolean
}

const LIST = 'pieces.txt'

/** Some pieces one after the other, of which a list in a file of the plan tells the numbers. */
export function listed(name: string): PlanInput {
  return { from: { kind: 'scratch', name }, flags: ['-f', 'concat'] }
}

/** The list for `listed`. */
export function pieceList(name: string, numbers: readonly number[]): PlanFile {
  const lines = numbers.map((number) => `file ${pieceName(number)}`)
  return { name, text: ['ffconcat version 1.0', ...lines, ''].join('\n') }
}

/** All pieces one after the other. */
export const JOINED_PIECES = listed(LIST)

/**
 * Puts the pieces one after the other; the picture is copied, the sound is encoded once. The file
 * is the list that the step reads.
 */
export function joinPieces({ count, durationMs, output, sound, isSoundOnly = false }: Joined): {
  readonly file: PlanFile
  readonly step: PlanStep
} {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const isOwn = sound === undefined || sound.input === JOINED_PIECES
  return {
    file: pieceList(LIST, numbers),
    step: {
      id: 'join',
      inputs: [JOINED_PIECES, ...(isOwn ? [] : [sound.input])],
      args: [
        ...(isSoundOnly ? [] : ['-map', '0:v:0', '-c:v', 'copy']),
        ...(sound === undefined
          ? []
          : ['-map', isOwn ? '0:a:0' : '1:a:0', '-af', sound.chain, ...deliveryAudio]),
        ...withoutTraces,
        ...deliveryMp4,
        output,
      ],
      outputDurationMs: durationMs,
      weight: durationMs * 0.05,
      needs: needs(sound?.filters ?? [], sound === undefined ? [] : ['aac']),
    },
  }
}
