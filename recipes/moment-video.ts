import { onTime, type Size } from './picture.ts'
import type { Stretch } from './stretch.ts'
import type { PlanArg, PlanFile, SourceProbe } from './types.ts'

type Part = Pick<MovingPiece, 'startMs' | 'durationMs'>

/** A part of a source in motion, as a file of its own without sound. */
export interface MovingPiece {
  readonly startMs: number
  readonly durationMs: number
  /** Of the scratch file. */
  readonly name: string
}

/** Where a stretch of the source lies in the video of a moment board. */
export interface MovingStretch {
  readonly startMs: number
  readonly endMs: number
  readonly atMs: number
}

/** Pictures a second: enough to see what is done, and half of what is loaded for 25. */
export const MOVING_RATE = 12
/** The longer side in pixels: a tile at the density of a phone. */
const MOVING_PX = 320
/** Shorter holes between pieces are not worth a run: a picture and a half. */
const LEAST_MS = (1.5 * 1000) / MOVING_RATE
/** Baseline, with a key frame each second: a page goes to any place at once, also on old phones. */
const ENCODING =
  `-c:v libx264 -preset veryfast -profile:v baseline -crf 30 -maxrate 400k -bufsize 800k -g ${MOVING_RATE}`.split(
    ' ',
  )

/** The piece of a part of the source, named by its place. */
export function pieceOf({ startMs, durationMs }: Part): MovingPiece {
  return { startMs, durationMs, name: `moving-${Math.round(startMs)}.mp4` }
}

/** What a run that reads exactly the part of a piece writes it with. */
export function pieceArgs(source: SourceProbe, { durationMs, name }: MovingPiece): PlanArg[] {
  const { width, height } = movingSize(source)
  const pictures = Math.max(1, Math.floor((durationMs * MOVING_RATE) / 1000))
  return [
    '-map',
    '0:V:0',
    '-an',
    '-vf',
    `${onTime(source)}fps=${MOVING_RATE}:start_time=0,scale=${width}:${height}:flags=area,setsar=1,format=yuv420p`,
    '-frames:v',
    String(pictures),
    ...ENCODING,
    '-map_metadata',
    '-1',
    '-f',
    'mp4',
    { kind: 'scratch', name },
  ]
}

function movingSize({ width, height }: Size): Size {
  const scale = Math.min(1, MOVING_PX / Math.max(width, height))
  const side = (pixels: number): number => Math.max(16, 2 * Math.round((pixels * scale) / 2))
  return { width: side(width), height: side(height) }
}

/**
 * All pieces one after the other: the list by which ffmpeg joins them, and where the stretches of
 * the source lie then. Pieces that touch are one stretch.
 */
export function joinedPieces(
  pieces: readonly MovingPiece[],
  listName: string,
): { readonly list: PlanFile; readonly stretches: readonly MovingStretch[] } {
  const lines: string[] = []
  const stretches: MovingStretch[] = []
  let atMs = 0
  for (const { startMs, durationMs, name } of pieces.toSorted((a, b) => a.startMs - b.startMs)) {
    // Says the length itself: a piece ends with its last whole picture.
    lines.push(`file ${name}`, `duration ${(durationMs / 1000).toFixed(6)}`)
    const endMs = startMs + durationMs
    const last = stretches.at(-1)
    if (last !== undefined && Math.abs(last.endMs - startMs) < 1)
      stretches[stretches.length - 1] = { ...last, endMs }
    else stretches.push({ startMs, endMs, atMs })
    atMs += durationMs
  }
  const text = ['ffconcat version 1.0', ...lines, ''].join('\n')
  return { list: { name: listName, text }, stretches }
}

/** The most that is recorded beyond what a search looks at: half of a tube cut of six minutes. */
const MOST_RECORDED_MS = 200_000

/**
 * The parts of passages that no piece shows. Those of the shortest passages come first: a short
 * passage that lacks a part shows nothing.
 */
export function partsWithout(
  passages: readonly Stretch[],
  pieces: readonly MovingPiece[],
): readonly Part[] {
  const shown = pieces.map(({ startMs, durationMs }) => ({ startMs, endMs: startMs + durationMs }))
  const parts: Part[] = []
  let leftMs = MOST_RECORDED_MS
  const length = ({ startMs, endMs }: Stretch): number => endMs - startMs
  for (const passage of passages.toSorted((a, b) => length(a) - length(b) || a.startMs - b.startMs))
    for (const hole of holesIn(passage, shown)) {
      const durationMs = Math.min(leftMs, length(hole))
      if (durationMs < LEAST_MS) continue
      const endMs = hole.startMs + durationMs
      parts.push({ startMs: hole.startMs, durationMs })
      shown.push({ startMs: hole.startMs, endMs })
      leftMs -= durationMs
    }
  return parts
}

/** What of a passage none of the others covers, in order of time. */
function holesIn(passage: Stretch, others: readonly Stretch[]): readonly Stretch[] {
  const holes: Stretch[] = []
  let fromMs = passage.startMs
  for (const { startMs, endMs } of others.toSorted((a, b) => a.startMs - b.startMs)) {
    if (endMs <= fromMs || startMs >= passage.endMs) continue
    if (startMs > fromMs) holes.push({ startMs: fromMs, endMs: startMs })
    fromMs = endMs
  }
  return fromMs < passage.endMs ? [...holes, { startMs: fromMs, endMs: passage.endMs }] : holes
}
