import { edges, isBlack, isTitleCard, judgeOf, whatShows, type Judge } from './analysis-judge.ts'
import { meanOf, rounded } from './analysis-numbers.ts'
import type { PacketSurvey } from './analysis-packets.ts'
import { actionIn, likenessOf } from './analysis-picture.ts'
import { runsOf, shotsOf, type Frame, type Look, type Shot } from './analysis-shots.ts'
import { unseenBetween } from './analysis-unseen.ts'
import { withUnseen } from './heads.ts'
import { likenessBetween } from './likeness.ts'
import type { Moment, SourceProbe } from './types.ts'

/** Makes moments of what the looks saw and of the packets between them, in order of time. */
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

/** A video that ends this soon after the last picture of the looks shows the same until its end. */
const AFTER_LAST_MS = 250

function toTheEnd(last: Moment, durationMs: number): Moment {
  const lengthMs = Math.max(1, Math.floor(durationMs) - last.atMs)
  return lengthMs - last.lengthMs > AFTER_LAST_MS ? last : { ...last, lengthMs }
}

/** No stretch that was looked at is longer. */
const LONGEST_SEEN_MS = 1000

/** The stretches of a shot: each shows one thing only, and none is longer than a second. */
function momentsOfShot(shot: Shot, judge: Judge): readonly Moment[] {
  const isCard = isTitleCard(shot.frames)
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
    const heads = headsAt(best.atMs, shot)
    const action = actionIn([...(pieces[index - 1]?.slice(-1) ?? []), ...frames])
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
        ...(action === '' ? {} : { action }),
        ...(heads === undefined ? {} : { heads }),
      },
    ]
  })
}

/**
 * The sharpest picture of a stretch: the one with the most and finest edges, its neighbours counted
 * too. The place of a picture is known only to half a step, so a still of it may show what lies
 * between two.
 */
function sharpestOf(frames: readonly Frame[]): Frame | undefined {
  const own = frames.map((frame) => edges(frame) * frame.detail)
  const worth = own.map((each, at) => each + Math.min(own[at - 1] ?? 0, own[at + 1] ?? 0))
  return frames[worth.reduce((best, each, at) => (each > (worth[best] ?? 0) ? at : best), 0)]
}

/** Within this time the focus is found and the hand that holds the camera is steady. */
const BESIDE_MS = 2500
/**
 * A picture with less than this share of the detail of its neighbours is blurred; other content of
 * the same shot does not differ so much.
 */
const BLURRED_BELOW = 0.5

/** Whether pictures of the same shot, shortly before or after, are far sharper. */
function isBlurredBeside({ atMs, detail }: Frame, { frames }: Shot): boolean {
  return frames.some(
    (other) => Math.abs(other.atMs - atMs) <= BESIDE_MS && detail < BLURRED_BELOW * other.detail,
  )
}

/** A face counts as there for this long before and after the picture in which it was found. */
const HEADS_STAY_MS = 2000

/** The heads in the two nearest pictures of the shot that were looked at for faces. */
function headsAt(atMs: number, { frames }: Shot): string | undefined {
  const away = (frame: Frame): number => Math.abs(frame.atMs - atMs)
  const [nearest, other] = frames
    .filter((frame) => frame.heads !== undefined && away(frame) <= HEADS_STAY_MS)
    .toSorted((a, b) => away(a) - away(b))
    .map(({ heads = '' }) => heads)
  return nearest === undefined ? undefined : withUnseen(nearest, other ?? '')
}

/** A picture is shown from half a step before its place. */
function halfBefore(frame: Frame | undefined): number {
  return frame === undefined ? 0 : Math.max(0, frame.atMs - frame.stepMs / 2)
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
