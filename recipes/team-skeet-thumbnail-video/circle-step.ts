import { deliveryMp4, needs, withoutEncoder, withoutTraces } from '#recipes/encoding.ts'
import { msOfFrames, type PieceShape } from '#recipes/passage-steps.ts'
import { closedLoop, closedLoopFilters, countPictures, crossFade } from '#recipes/picture-fades.ts'
import { saysMatrix, type Matrix } from '#recipes/picture.ts'
import type { PlanStep } from '#recipes/types.ts'

/** Name of the output. */
export const CIRCLE = 'thumbnail-video.mp4'

/** Without sound: a listing is seen, not heard. */
export type CircleShape = PieceShape & { readonly hasAudio: false; readonly matrix: Matrix }

/**
 * Never more than 800 kB: the buffer lets eight seconds at this rate be larger by one second of it,
 * which makes 720 kB.
 */
const CAP_KBIT = 640

/** Video of a few hundred pixels: the slow search for the smallest file costs two seconds here. */
const circleVideo = [
  '-c:v',
  'libx264',
  '-preset',
  'slow',
  '-crf',
  '23',
  '-profile:v',
  'high',
  '-pix_fmt',
  'yuv420p',
  '-maxrate',
  `${CAP_KBIT}k`,
  '-bufsize',
  `${CAP_KBIT}k`,
  ...withoutEncoder,
] as const

/**
 * Joins pieces by fades and lets the last fade into the beginning of the first, so that a player
 * that repeats the file shows no jump. The output begins behind what it fades back into.
 */
export function circleStep(
  pieces: readonly CirclePiece[],
  fadeFrames: number,
  shape: CircleShape,
): PlanStep {
  const frames = pieces.reduce((sum, piece) => sum + piece.frames - overlapOf(piece, fadeFrames), 0)
  const durationMs = msOfFrames(frames, shape)
  return {
    id: 'circle',
    inputs: pieces.map(({ name }) => ({ from: { kind: 'scratch', name } })),
    args: [
      '-filter_complex',
      fadeFrames === 0
        ? `[0:v]${saysMatrix(shape.matrix)},format=yuv420p[v]`
        : circleGraph(pieces, fadeFrames, shape),
      '-map',
      '[v]',
      '-an',
      ...withoutTraces,
      ...circleVideo,
      ...deliveryMp4,
      { kind: 'output', name: CIRCLE },
    ],
    outputDurationMs: durationMs,
    weight: durationMs,
    needs: needs(['settb', 'setparams', 'concat', ...closedLoopFilters], ['libx264']),
  }
}

/** A scratch file and its length. */
interface CirclePiece {
  readonly name: string
  readonly frames: number
  /** A cut leads to the next one, or from the last to the first: they look alike. */
  readonly isCutNext: boolean
}

function overlapOf({ isCutNext }: CirclePiece, fadeFrames: number): number {
  return isCutNext ? 0 : fadeFrames
}

function circleGraph(
  pieces: readonly CirclePiece[],
  fadeFrames: number,
  shape: CircleShape,
): string {
  const graph = pieces.map(
    (_, index) => `[${index}:v]${countPictures(shape)},${saysMatrix(shape.matrix)}[p${index}]`,
  )
  let joined = '[p0]'
  let length = pieces[0]?.frames ?? 0
  for (const [index, { frames }] of pieces.entries()) {
    const before = pieces[index - 1]
    if (before === undefined) continue
    const overlap = overlapOf(before, fadeFrames)
    // A piece that was put behind another counts its pictures again.
    const join =
      overlap === 0
        ? `concat=n=2:v=1:a=0,${countPictures(shape)}`
        : crossFade(length - overlap, overlap, shape)
    graph.push(`${joined}[p${index}]${join}[j${index}]`)
    joined = `[j${index}]`
    length += frames - overlap
  }
  const [first, ...rest] =
    pieces.at(-1)?.isCutNext === true
      ? ['format=yuv420p[v]']
      : closedLoop(length, fadeFrames, shape)
  graph.push(`${joined}${first}`, ...rest)
  return graph.join(';')
}
