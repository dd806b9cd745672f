import { behindCuts } from './alike-joints.ts'
import type { DrawnPassage, Drawing, Fades } from './drawing.ts'
import { deliveryVideo, intermediateAudio, needs, withoutTraces } from './encoding.ts'
import { levelledInput } from './loudness.ts'
import { numbered, seconds, videoName } from './naming.ts'
import {
  JOINED_PIECES,
  joinPieces,
  msOfFrames,
  pieceGraph,
  pieceInput,
  pieceName,
  type Piece,
  type PieceShape,
} from './passage-steps.ts'
import { countPictures, crossFade } from './picture-fades.ts'
import { saysMatrix } from './picture.ts'
import type { PlanArg, PlanContext, PlanStep, RecipePlan, SourceProbe } from './types.ts'

const FADE_OUT_MS = 500
const SOUND_FADE_IN_S = 0.25
/** Of the sound between two steps. */
const SAMPLES_A_SECOND = 48_000

/** By how many pictures each passage overlaps with the next. */
function overlapsOf(passages: readonly DrawnPassage[], { frames }: Fades): readonly number[] {
  return passages.map(({ isCutNext }, index) =>
    isCutNext === true || index === passages.length - 1 ? 0 : frames,
  )
}

/**
 * The steps of the edit, the last piece first. Each makes one piece for delivery without its first
 * pictures, and leaves those as they are to the piece before, which fades into them; then the
 * pieces are joined without encoding again. One graph of all passages would do the same work, but
 * hold every picture of the later ones in memory until their turn comes. A piece that left its last
 * pictures would hold as many, because ffmpeg encodes nothing before each of its files has a
 * picture.
 */
export function fadedSteps(
  drawing: Drawing,
  fades: Fades,
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters'>,
  isSoundOnly = false,
): Pick<RecipePlan, 'files' | 'steps'> {
  const shape: PieceShape = { ...drawing, hasAudio: source.hasAudio, isSoundOnly }
  const faded = fadedPassages(drawing, fades)
  const durationMs = msOfFrames(
    faded.reduce((sum, passage) => sum + ownFrames(passage), 0),
    shape,
  )
  const outMs = fadeOutMs(durationMs)
  const pieces = faded.map((passage): FadedPiece => ({
    from: { kind: 'source' },
    probe: source,
    ...passage,
  }))
  const even = levelledInput(JOINED_PIECES, durationMs, {
    after: {
      chain: `afade=t=in:d=${SOUND_FADE_IN_S},${fadeOut('afade', durationMs, outMs)},atrim=duration=${inSeconds(durationMs)}`,
      filters: ['afade', 'atrim'],
    },
  })
  const { file, step } = joinPieces({
    count: pieces.length,
    durationMs,
    output: { kind: 'output', name: videoName(drawing.slug) },
    ...(shape.hasAudio ? { sound: even.sound } : {}),
    isSoundOnly,
  })
  const backwards = pieces.toReversed().map((each) => fadedStep(each, shape, context))
  return {
    files: [file],
    steps: [...backwards, ...(shape.hasAudio ? even.steps : []), step],
  }
}

/** A passage with what is before and after it. */
export interface FadedPassage extends DrawnPassage {
  /** From 1. */
  readonly number: number
  /** Pictures that the piece before shows, fading into them; 0 = it is the first. */
  readonly headFrames: number
  readonly end:
    | { readonly kind: 'next'; readonly frames: number }
    | { readonly kind: 'cut' }
    | { readonly kind: 'black'; readonly outMs: number }
}

type FadedPiece = Piece & FadedPassage

/** The passages as they are shown, and how each leads to the next. */
export function fadedPassages(drawing: Drawing, fades: Fades): readonly FadedPassage[] {
  const passages = behindCuts(drawing.passages, { ...drawing, fadeFrames: fades.frames })
  const overlaps = overlapsOf(passages, fades)
  const lengthInFrames = passages.reduce(
    (sum, { frames }, index) => sum + frames - (overlaps[index] ?? 0),
    0,
  )
  const outMs = fadeOutMs(msOfFrames(lengthInFrames, drawing))
  return passages.map((passage, index): FadedPassage => {
    const frames = overlaps[index] ?? 0
    const isLast = index === passages.length - 1
    return {
      ...passage,
      number: index + 1,
      headFrames: overlaps[index - 1] ?? 0,
      end: isLast
        ? { kind: 'black', outMs }
        : frames === 0
          ? { kind: 'cut' }
          : { kind: 'next', frames },
    }
  })
}

function fadeOutMs(durationMs: number): number {
  return Math.min(FADE_OUT_MS, durationMs / 6)
}

/** Pictures that the piece shows itself. */
function ownFrames({ frames, headFrames }: FadedPassage): number {
  return frames - headFrames
}

function headName(number: number): string {
  return `head-${numbered(number)}.nut`
}

function fadedStep(
  piece: FadedPiece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
): PlanStep {
  const { graph, filters } = fadedGraph(piece, shape, context)
  const leavesHead = piece.headFrames > 0
  const audio = shape.hasAudio ? intermediateAudio : []
  return {
    id: `piece-${numbered(piece.number)}`,
    inputs: [
      pieceInput(piece, shape),
      ...(piece.end.kind === 'next'
        ? [{ from: { kind: 'scratch', name: headName(piece.number + 1) } } as const]
        : []),
    ],
    args: [
      '-filter_complex',
      graph,
      ...(leavesHead ? headArgs(piece.number, shape) : []),
      ...maps('[v]', '[a]', shape),
      ...(shape.isSoundOnly === true ? [] : deliveryVideo(shape.size)),
      ...audio,
      ...(shape.isSoundOnly === true ? [] : ['-video_track_timescale', '90000']),
      '-f',
      'mov',
      { kind: 'scratch', name: pieceName(piece.number) },
    ],
    outputDurationMs: msOfFrames(ownFrames(piece), shape),
    weight: msOfFrames(piece.frames, shape),
    needs: needs(filters, [
      ...(shape.isSoundOnly === true ? [] : ['libx264', ...(leavesHead ? ['rawvideo'] : [])]),
      ...(shape.hasAudio ? ['pcm_s16le'] : []),
    ]),
  }
}

/** The file with the first pictures as they are: a quarter of a second takes some 30 MB. */
function headArgs(number: number, shape: PieceShape): readonly PlanArg[] {
  return [
    ...maps('[head]', '[headsound]', shape),
    ...(shape.isSoundOnly === true ? [] : ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p']),
    ...(shape.hasAudio ? intermediateAudio : []),
    '-f',
    'nut',
    { kind: 'scratch', name: headName(number) },
  ]
}

function maps(
  picture: string,
  sound: string,
  { hasAudio, isSoundOnly = false }: PieceShape,
): readonly string[] {
  return [
    ...(isSoundOnly ? [] : ['-map', picture]),
    ...(hasAudio ? ['-map', sound] : []),
    ...withoutTraces,
  ]
}

interface Part {
  readonly graph: readonly string[]
  readonly filters: readonly string[]
}
const NOTHING: Part = { graph: [], filters: [] }

/** From the inputs to `[v]`, `[a]`, `[head]` and `[headsound]`, as far as the piece has them. */
function fadedGraph(
  piece: FadedPiece,
  shape: PieceShape,
  context: Pick<PlanContext, 'availableFilters'>,
): { readonly graph: string; readonly filters: readonly string[] } {
  const plain = pieceGraph(piece, shape, context)
  const parts = [
    ...(shape.isSoundOnly === true ? [] : [headPicture(piece), endOfPicture(piece, shape)]),
    ...(shape.hasAudio ? [headSound(piece, shape), endOfSound(piece, shape)] : []),
  ]
  return {
    // A label is free again once it is used.
    graph: [plain.graph, ...parts.flatMap(({ graph }) => graph)].join(';'),
    filters: [...plain.filters, ...parts.flatMap(({ filters }) => filters)],
  }
}

function headPicture({ headFrames }: FadedPiece): Part {
  if (headFrames === 0) return NOTHING
  return {
    graph: [
      '[v]split[v0][v1]',
      `[v0]trim=end_frame=${headFrames}[head]`,
      `[v1]trim=start_frame=${headFrames},setpts=PTS-STARTPTS[v]`,
    ],
    filters: ['split', 'trim', 'setpts'],
  }
}

function headSound({ headFrames }: FadedPiece, shape: PieceShape): Part {
  if (headFrames === 0) return NOTHING
  const length = inSeconds(msOfFrames(headFrames, shape))
  return {
    graph: [
      '[a]asplit[a0][a1]',
      `[a0]atrim=end=${length}[headsound]`,
      `[a1]atrim=start=${length},asetpts=PTS-STARTPTS[a]`,
    ],
    filters: ['asplit', 'atrim', 'asetpts'],
  }
}

function endOfPicture(piece: FadedPiece, shape: PieceShape): Part {
  const own = ownFrames(piece)
  if (piece.end.kind === 'black')
    return {
      graph: [`[v]${fadeOut('fade', msOfFrames(own, shape), piece.end.outMs)},format=yuv420p[v]`],
      filters: ['fade', 'format'],
    }
  if (piece.end.kind === 'cut') return { graph: ['[v]format=yuv420p[v]'], filters: ['format'] }
  const { frames } = piece.end
  const says = shape.matrix === undefined ? '' : `,${saysMatrix(shape.matrix)}`
  return {
    graph: [
      `[v]${countPictures(shape)}[own]`,
      `[1:v]${countPictures(shape)}${says}[next]`,
      `[own][next]${crossFade(own - frames, frames, shape)}[v]`,
    ],
    filters: ['settb', 'setparams', 'xfade'],
  }
}

function endOfSound(piece: FadedPiece, shape: PieceShape): Part {
  if (piece.end.kind !== 'next') return cutSound(piece, shape)
  const fadeMs = msOfFrames(piece.end.frames, shape)
  const beforeMs = msOfFrames(ownFrames(piece), shape) - fadeMs
  const duration = inSeconds(fadeMs)
  const samples = Math.round((beforeMs * SAMPLES_A_SECOND) / 1000)
  return {
    graph: [
      `[a]afade=t=out:st=${inSeconds(beforeMs)}:d=${duration}[ownsound]`,
      `[1:a]afade=t=in:d=${duration},adelay=${samples}S:all=1[nextsound]`,
      '[ownsound][nextsound]amix=inputs=2:duration=first:normalize=0[a]',
    ],
    filters: ['afade', 'adelay', 'amix'],
  }
}

/** Against clicks at a cut. */
const SOUND_CUT_MS = 30

function cutSound(piece: FadedPiece, shape: PieceShape): Part {
  if (piece.end.kind !== 'cut') return NOTHING
  const lengthMs = msOfFrames(ownFrames(piece), shape)
  return { graph: [`[a]${fadeOut('afade', lengthMs, SOUND_CUT_MS)}[a]`], filters: ['afade'] }
}

/** To the microsecond: picture and sound of many pieces must stay together. */
function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(6)
}

function fadeOut(filter: 'fade' | 'afade', durationMs: number, outMs: number): string {
  return `${filter}=t=out:st=${seconds(durationMs - outMs)}:d=${seconds(outMs)}`
}
