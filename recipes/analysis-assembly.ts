import { BUCKET_MS, type PacketSurvey } from './analysis-packets.ts'
import { changeBetween, likenessOf, type PictureFacts } from './analysis-picture.ts'
import { heardAt, type Level } from './analysis-sound.ts'
import { firstIndex } from './first-index.ts'
import { likenessBetween } from './likeness.ts'
import type { Moment, SourceProbe } from './types.ts'

/** What a look at a part of the source gave. */
export interface Look {
  readonly startMs: number
  /** Time between two pictures. */
  readonly stepMs: number
  readonly pictures: readonly PictureFacts[]
  /** Counted from the start of the look. */
  readonly levels: readonly Level[]
}

/** A picture with its place and what came before it. */
interface Frame extends PictureFacts {
  readonly atMs: number
  readonly stepMs: number
  /** Share of the blocks that moved since the picture before; 0 for the first one. */
  readonly moved: number
  readonly change: number
  readonly loudness: number | null
  readonly speech: number | null
}

/** Pictures between two cuts, or between a cut and an end of what was looked at. */
interface Shot {
  readonly startMs: number
  readonly endMs: number
  readonly startsWithCut: boolean
  readonly frames: readonly Frame[]
}

/** Makes moments of what the looks saw, and of the packets between them; in order of time. */
export function assembleMoments(
  source: SourceProbe,
  survey: PacketSurvey,
  looks: readonly Look[],
): Moment[] {
  const shots = runsOf(looks).flatMap((frames) => shotsOf(frames, survey))
  const judge = judgeOf(shots.flatMap(({ frames }) => frames))
  const seen = shots
    .flatMap((shot) => momentsOfShot(shot, judge))
    .filter(({ atMs }) => atMs < source.durationMs)
    .map((moment, index, all) =>
      index === all.length - 1 ? toTheEnd(moment, source.durationMs) : moment,
    )
  if (seen.length === 0) return []
  const all = [...seen, ...unseenBetween(seen, survey, source.durationMs)]
  return withRepeats(all.toSorted((a, b) => a.atMs - b.atMs))
}

/** So little after the last picture that was looked at shows what that one shows. */
const AFTER_LAST_MS = 250

function toTheEnd(last: Moment, durationMs: number): Moment {
  const lengthMs = Math.max(1, Math.floor(durationMs) - last.atMs)
  return lengthMs - last.lengthMs > AFTER_LAST_MS ? last : { ...last, lengthMs }
}

/** The pictures in runs without a hole. */
function runsOf(looks: readonly Look[]): readonly (readonly Frame[])[] {
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
  { startMs, stepMs, pictures, levels }: Look,
  before: PictureFacts | undefined,
): Frame[] {
  return pictures.map((picture, index): Frame => {
    const last = index === 0 ? before : pictures[index - 1]
    const heard = heardAt(levels, index * stepMs)
    return {
      ...picture,
      atMs: startMs + index * stepMs,
      stepMs,
      ...(last === undefined ? { moved: 0, change: 0 } : changeBetween(last, picture)),
      loudness: heard?.loudness ?? null,
      speech: heard?.speech ?? null,
    }
  })
}

/** A cut changes so much, and so many times as much as the pictures around it. */
const CUT = { change: 7, factor: 3 }
/** Where the packets say that a cut may be, less will do. */
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

function shotsOf(frames: readonly Frame[], survey: PacketSurvey): readonly Shot[] {
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

/** Brightness of video: 16 is black, 235 is white. */
const BLACK_BELOW = 30
const DARK_BELOW = 45
const WHITE_FROM = 225
/** Much that is flat, and edges that are hard rather than soft: letters on a ground. */
const TITLE = { flat: 0.75, hard: 0.012, share: 0.35 }
/** So much of a shot must be letters. */
const TITLE_SHARE = 0.4
/** Less than this share of the usual edges of the film is out of focus. */
const SOFT_BELOW = 0.2
/** Share of the blocks: below the first nothing happens, from the second on something does. */
const MOVES_FROM = 0.006
const LIVELY_FROM = 0.02

function isBlack({ light, mean }: PictureFacts): boolean {
  return light < BLACK_BELOW + 6 && mean < BLACK_BELOW
}

function isTitle({ flat, hard, soft }: PictureFacts): boolean {
  return flat > TITLE.flat && hard > TITLE.hard && hard > TITLE.share * (hard + soft)
}

/** What a picture is worth among all of the film. */
interface Judge {
  score(frame: Frame): number
  /** 0 to 1: how many edges it has, of what is usual in the film. */
  sharpness(frame: Frame): number
}

function judgeOf(frames: readonly Frame[]): Judge {
  const shown = frames.filter((frame) => !isBlack(frame) && !isTitle(frame))
  const usualEdges = quantile(shown.map(edges), 0.75)
  const usualMotion = Math.max(
    0.04,
    quantile(
      shown.map(({ moved }) => moved),
      0.6,
    ),
  )
  const levels = shown.flatMap(({ loudness }) => (loudness === null ? [] : [loudness]))
  const [quiet, loud] = [quantile(levels, 0.1), quantile(levels, 0.9)]
  const sharpness = (frame: Frame): number =>
    usualEdges === 0 ? 0.5 : clamp(edges(frame) / usualEdges)
  return {
    sharpness,
    score: (frame) => {
      const parts = [
        { share: 0.45, value: clamp(frame.moved / usualMotion) },
        { share: 0.2, value: sharpness(frame) },
        { share: 0.15, value: beautyOf(frame) },
        {
          share: 0.1,
          value:
            frame.loudness === null || loud <= quiet
              ? null
              : clamp((frame.loudness - quiet) / (loud - quiet)),
        },
        { share: 0.1, value: frame.speech },
      ].flatMap(({ share, value }) => (value === null ? [] : [{ share, value }]))
      const sum = parts.reduce((total, { share }) => total + share, 0)
      return clamp(parts.reduce((total, { share, value }) => total + share * value, 0) / sum)
    },
  }
}

function edges({ soft, hard }: PictureFacts): number {
  return soft + hard
}

/** Colourful, and neither dark nor pale. */
function beautyOf({ mean, colour }: PictureFacts): number {
  return 0.6 * (1 - Math.min(1, Math.abs(mean - 120) / 105)) + 0.4 * Math.min(1, colour / 30)
}

/** No stretch that was looked at is longer. */
const LONGEST_SEEN_MS = 1000

/** The stretches of a shot: each shows one thing only, and none is longer than a second. */
function momentsOfShot(shot: Shot, judge: Judge): readonly Moment[] {
  const titles = shot.frames.filter(isTitle).length
  const isCard = titles >= TITLE_SHARE * shot.frames.length
  const pieces: Frame[][] = []
  for (const frame of shot.frames) {
    const open = pieces.at(-1)
    const first = open?.[0]
    const joins =
      first !== undefined &&
      isBlack(first) === isBlack(frame) &&
      frame.atMs + frame.stepMs - first.atMs <= LONGEST_SEEN_MS
    if (joins) open?.push(frame)
    else pieces.push([frame])
  }
  return pieces.flatMap((frames, index): readonly Moment[] => {
    const startMs = index === 0 ? shot.startMs : halfBefore(frames[0])
    const next = pieces[index + 1]?.[0]
    const endMs = next === undefined ? shot.endMs : halfBefore(next)
    const best = sharpestOf(frames)
    if (best === undefined || endMs <= startMs) return []
    const inside = Math.min(Math.max(best.atMs, startMs + 20), endMs - 20)
    return [
      {
        atMs: Math.ceil(startMs),
        lengthMs: Math.max(1, Math.floor(endMs) - Math.ceil(startMs)),
        shows: isCard ? 'title' : whatShows(frames, judge),
        score: rounded(meanOf(frames.map(judge.score))),
        startsShot: index === 0 && shot.startsWithCut,
        stillMs: Math.round(endMs - startMs > 40 ? inside : (startMs + endMs) / 2),
        likeness: likenessOf(best),
        ...(isBlurredBeside(best, shot) ? { isBlurred: true } : {}),
      },
    ]
  })
}

/**
 * The picture of a stretch with the most and finest edges, also before and after it: its place is
 * known to half a step only, so a still of it may show what lies between.
 */
function sharpestOf(frames: readonly Frame[]): Frame | undefined {
  const own = frames.map((frame) => edges(frame) * frame.detail)
  const worth = own.map((each, at) => each + Math.min(own[at - 1] ?? 0, own[at + 1] ?? 0))
  return frames[worth.reduce((best, each, at) => (each > (worth[best] ?? 0) ? at : best), 0)]
}

/** Focus and hands need no longer to become steady. */
const BESIDE_MS = 2500
/** Other content of the same shot is not as far from it; blur is. */
const BLURRED_BELOW = 0.5

/** Whether pictures of the same shot, shortly before or after, are far sharper. */
function isBlurredBeside({ atMs, detail }: Frame, { frames }: Shot): boolean {
  return frames.some(
    (other) => Math.abs(other.atMs - atMs) <= BESIDE_MS && detail < BLURRED_BELOW * other.detail,
  )
}

/** A picture is shown from half a step before its place. */
function halfBefore(frame: Frame | undefined): number {
  return frame === undefined ? 0 : Math.max(0, frame.atMs - frame.stepMs / 2)
}

function whatShows(frames: readonly Frame[], judge: Judge): Moment['shows'] {
  if (frames.some((frame) => isBlack(frame) || frame.dark >= WHITE_FROM)) return 'black'
  if (meanOf(frames.map(({ mean }) => mean)) < DARK_BELOW) return 'dark'
  if (meanOf(frames.map(judge.sharpness)) < SOFT_BELOW) return 'soft'
  // The first picture of a run or after a cut has no motion of its own.
  const moved = meanOf(frames.map(({ moved }) => moved))
  if (moved >= LIVELY_FROM) return 'lively'
  return moved >= MOVES_FROM ? 'calm' : 'still'
}

/** The longest stretch of which only the packets are known. */
const LONGEST_UNSEEN_MS = 5000
/** Shorter holes are those of cuts. */
const SHORTEST_UNSEEN_MS = 1000

/** Packets of black and of titles are smaller than this share of the usual ones. */
const EMPTY_BELOW = 0.1
/** So much of a stretch with such packets makes it worth nothing. */
const EMPTY_SHARE = 0.2

/** Stretches between the looks, weighed by the size of their packets among all. */
function unseenBetween(
  seen: readonly Moment[],
  { sizes }: PacketSurvey,
  durationMs: number,
): readonly Moment[] {
  const known = sizes.filter((size) => size > 0).toSorted((a, b) => a - b)
  const emptyBelow = EMPTY_BELOW * quantile(known, 0.5)
  const holes = [...seen, { atMs: durationMs, lengthMs: 0 }].map(({ atMs }, index) => {
    const before = seen[index - 1]
    return { fromMs: before === undefined ? 0 : before.atMs + before.lengthMs, toMs: atMs }
  })
  return holes
    .filter(({ fromMs, toMs }) => toMs - fromMs >= SHORTEST_UNSEEN_MS)
    .flatMap(({ fromMs, toMs }) => {
      const count = Math.ceil((toMs - fromMs) / LONGEST_UNSEEN_MS)
      const lengthMs = (toMs - fromMs) / count
      return Array.from({ length: count }, (_, index): Moment => {
        const atMs = fromMs + index * lengthMs
        const shown = sizes.slice(
          Math.floor(atMs / BUCKET_MS),
          Math.ceil((atMs + lengthMs) / BUCKET_MS),
        )
        const rank = rankIn(known, meanOf(shown))
        return {
          atMs: Math.round(atMs),
          lengthMs: Math.floor(lengthMs),
          shows: 'unseen',
          score: isEmpty(shown, emptyBelow) ? 0 : rounded(Math.max(0.001, rank)),
          startsShot: false,
          stillMs: Math.round(atMs + lengthMs / 2),
          likeness: '',
        }
      })
    })
}

function isEmpty(sizes: readonly number[], below: number): boolean {
  const empty = sizes.filter((size) => size > 0 && size < below).length
  return empty > EMPTY_SHARE * sizes.length
}

/** Pictures nearer than this show the same place. */
const SAME_BELOW = 0.5
/** What has been shown before is worth less. */
const REPEATED = 0.85
/** Later pictures of the same shot are no repeats. */
const LATER_MS = 15_000

function withRepeats(moments: readonly Moment[]): Moment[] {
  const firsts: Moment[] = []
  return moments.map((moment): Moment => {
    if (moment.likeness === '') return moment
    const isRepeated = firsts.some(
      (other) =>
        moment.atMs - other.atMs > LATER_MS &&
        likenessBetween(moment.likeness, other.likeness) < SAME_BELOW,
    )
    if (isRepeated) return { ...moment, score: rounded(moment.score * REPEATED) }
    firsts.push(moment)
    return moment
  })
}

/** The share of a sorted list (0..1) that is no larger than a value. */
export function rankIn(sorted: readonly number[], value: number): number {
  if (sorted.length < 2) return 0.5
  return firstIndex(sorted, (each) => each > value) / sorted.length
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Three digits are enough, and the row of the upload stays small. */
function rounded(value: number): number {
  return Math.round(clamp(value) * 1000) / 1000
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
}
