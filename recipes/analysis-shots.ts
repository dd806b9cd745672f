import type { PacketSurvey } from './analysis-packets.ts'
import { changeBetween, type PictureFacts } from './analysis-picture.ts'
import { heardAt, type Level } from './analysis-sound.ts'
import { firstIndex } from './first-index.ts'

/** What a look at a part of the source gave. */
export interface Look {
  readonly startMs: number
  /** Time between two pictures. */
  readonly stepMs: number
  readonly pictures: readonly PictureFacts[]
  /** Counted from the start of the look. */
  readonly levels: readonly Level[]
  /** The heads in those pictures that were looked at for faces, by their number. */
  readonly heads?: ReadonlyMap<number, string>
}

/** A picture with its place and what came before it. */
export interface Frame extends PictureFacts {
  readonly atMs: number
  readonly stepMs: number
  /** Share of the blocks that moved since the picture before; 0 for the first one. */
  readonly moved: number
  readonly change: number
  readonly loudness: number | null
  readonly speech: number | null
  /** Left out where faces were not looked for. */
  readonly heads?: string
}

/** Pictures between two cuts, or between a cut and an end of what was looked at. */
export interface Shot {
  readonly startMs: number
  readonly endMs: number
  readonly startsWithCut: boolean
  readonly frames: readonly Frame[]
}

/** The pictures in runs without a hole. */
export function runsOf(looks: readonly Look[]): readonly (readonly Frame[])[] {
  const runs: Frame[][] = []
  for (const look of looks.toSorted((a, b) => a.startMs - b.startMs)) {
    const open = runs.at(-1)
    const endMs = open?.at(-1)?.atMs ?? -Infinity
    if (open !== undefined && look.startMs - endMs < look.stepMs * 2)
      open.push(...framesOf(look, open.at(-1)))
    else runs.push(framesOf(look, undefined))
  }
  return runs.filter((run) => run.length > 1)
}

function framesOf(
  { startMs, stepMs, pictures, levels, heads }: Look,
  before: PictureFacts | undefined,
): Frame[] {
  return pictures.map((picture, index): Frame => {
    const last = index === 0 ? before : pictures[index - 1]
    const heard = heardAt(levels, index * stepMs)
    const seen = heads?.get(index)
    return {
      ...picture,
      atMs: startMs + index * stepMs,
      stepMs,
      ...(last === undefined ? { moved: 0, change: 0 } : changeBetween(last, picture)),
      loudness: heard?.loudness ?? null,
      speech: heard?.speech ?? null,
      ...(seen === undefined ? {} : { heads: seen }),
    }
  })
}

/**
 * A cut changes the blocks by at least this much, and by this many times as much as the pictures
 * around it change.
 */
const CUT = { change: 7, factor: 3 }
/** The lower limits that hold where the packets say that a cut may be. */
const KNOWN_CUT = { change: 2.5, factor: 2 }
/** Pictures on each side that a cut is compared with. */
const BESIDE = 4

/** Of the start of a look that does not begin with the source. */
const UNSURE_STEPS = 1.5

/** What lies between two shots: the cut is in it. */
interface Cut {
  /** Of the first picture after it. */
  readonly index: number
  readonly fromMs: number
  readonly toMs: number
}

/** The shots of a run, without the moments in which a cut may be. */
export function shotsOf(frames: readonly Frame[], survey: PacketSurvey): readonly Shot[] {
  const cuts = frames.flatMap((_, index) => cutBefore(frames, index, survey))
  const first = frames[0]
  const last = frames.at(-1)
  if (first === undefined || last === undefined) return []
  // A seek may begin a picture late, so a cut right after the start of a look may go unseen.
  const startMs = first.atMs === 0 ? 0 : first.atMs + first.stepMs * UNSURE_STEPS
  return [{ index: 0, fromMs: startMs, toMs: startMs }, ...cuts]
    .map(({ index, toMs }, at): Shot => ({
      startMs: toMs,
      endMs: cuts[at]?.fromMs ?? last.atMs + last.stepMs / 2,
      startsWithCut: at > 0 || toMs === 0,
      frames: frames.slice(index, cuts[at]?.index),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
}

/** The cut between a picture and the one before it, as exactly as it is known; else nothing. */
function cutBefore(frames: readonly Frame[], index: number, survey: PacketSurvey): readonly Cut[] {
  const frame = frames[index]
  if (frame === undefined || index === 0) return []
  const beside = frames
    .slice(Math.max(1, index - BESIDE), index + BESIDE + 1)
    .filter((other) => other !== frame)
    .map(({ change }) => change)
    .toSorted((a, b) => a - b)
  const usual = beside[Math.floor(beside.length / 2)] ?? 0
  // A picture is shown from half a step before its place. The key frame that a look begins with is
  // no cut in it.
  const fromMs = Math.max(frame.atMs - frame.stepMs * 1.5, (frames[0]?.atMs ?? 0) + 1)
  const toMs = frame.atMs + frame.stepMs / 2
  const known = timesIn(survey.keysMs, fromMs, toMs).concat(timesIn(survey.largeMs, fromMs, toMs))
  const { change, factor } = known.length > 0 ? KNOWN_CUT : CUT
  if (frame.change < change || frame.change < factor * usual) return []
  return known.length > 0
    ? [{ index, fromMs: Math.min(...known) - 1, toMs: Math.max(...known) }]
    : [{ index, fromMs, toMs }]
}

/** The times of a sorted list that lie in a range. */
function timesIn(times: readonly number[], fromMs: number, toMs: number): readonly number[] {
  return times.slice(
    firstIndex(times, (each) => each >= fromMs),
    firstIndex(times, (each) => each > toMs),
  )
}
