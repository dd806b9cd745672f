import type { FrameRate } from './encoding.ts'
import type { Recipe } from './recipe.ts'
import type { Divided, PlanFile, Segment, SourceProbe } from './types.ts'

/**
 * [Note: segments] The picture of a long edit of a whole video can be made in segments, each by
 * another worker, and joined without encoding it again. A segment begins with a key frame, at a
 * multiple of the time between two of them in the whole. Its filters work with the times of the
 * whole, so what moves is where it is in the whole. It reads a second more at both ends, and its
 * last filters cut it out: so the picture that is shown at its beginning is there, and filters that
 * look at pictures before and after find them. The encoder gets times that begin with the segment.
 * The sound is made in one piece, where the segments are joined: levels and filters of it know what
 * came before.
 */

/** The file that the plan of a segment makes. */
export const SEGMENT_FILE = 'segment.mp4'

/** The name of a segment beside the others that it is joined with. */
export function segmentName(n: number): string {
  return `segment-${n}.mp4`
}

/** As much is read before and behind a segment; no picture that is divided stays for longer. */
const AROUND_MS = 1000

/**
 * The segments of about this length that an edit of the source is divided in, in order and without
 * gaps; null where it has to be made whole: by its recipe, or because the source is too short or
 * not of a kind in which every place is found to the picture.
 */
export function divide(
  recipe: Pick<Recipe, 'segmentStepMs'>,
  source: SourceProbe,
  lengthMs: number,
): readonly Segment[] | null {
  const keyMs = recipe.segmentStepMs?.(source) ?? null
  if (keyMs === null || !isSeekable(source)) return null
  const stepMs = Math.max(1, Math.round(lengthMs / keyMs)) * keyMs
  // What is left at the end is more than half a segment.
  const count = Math.round(source.durationMs / stepMs)
  if (count < 2) return null
  return Array.from({ length: count }, (_, n) => ({
    fromMs: n * stepMs,
    toMs: n === count - 1 ? null : (n + 1) * stepMs,
  }))
}

/** Whether a run that begins at any second shows the same pictures at the same times as all. */
function isSeekable(source: SourceProbe): boolean {
  return (
    !/\.(?:avi|divx)$/i.test(source.fileName) &&
    source.leadMs === undefined &&
    source.pictureLateMs === undefined &&
    source.startsWithoutKey !== true &&
    source.hidesPictures !== true &&
    (source.longestStayMs ?? Infinity) < AROUND_MS
  )
}

/** The segment that a plan was asked for, else null. */
export function segmentIn({ divided }: { readonly divided?: Divided }): Segment | null {
  return divided?.kind === 'segment' ? divided.segment : null
}

/** How the source is read for a segment. */
export function readFor({ fromMs, toMs }: Segment): { seekMs?: number; durationMs?: number } {
  // Clocks of files have whole seconds, so times are the same as without a seek.
  const seekMs = Math.max(0, Math.floor((fromMs - AROUND_MS) / 1000) * 1000)
  return {
    ...(seekMs > 0 ? { seekMs } : {}),
    ...(toMs === null ? {} : { durationMs: toMs + AROUND_MS - seekMs }),
  }
}

/** Filters that make a segment of what was read for it. */
export interface SegmentCut {
  /** The first ones, each with a comma after it. */
  readonly chain: string
  /** The last ones, each with a comma before it: the encoder's times. */
  readonly after: string
  readonly filters: readonly string[]
}

/** The filter that shows the first picture from the beginning on, with a comma after it. */
export const FIRST_AT_ONCE = 'setpts=if(eq(N\\,0)\\,0\\,PTS),'

/**
 * The pictures of a segment as the source times them.
 * @param joints at whose frames segments begin; null = at their own times
 */
export function cutOwn(segment: Segment, joints: FrameRate | null): SegmentCut {
  return {
    chain: segment.fromMs === 0 ? FIRST_AT_ONCE : `${atItsTimes(segment)},`,
    after: cutOut(segment, joints, null),
    filters: ['setpts', 'trim'],
  }
}

/**
 * The pictures of a segment at a constant rate. The last one is shown again where the source has
 * too few.
 * @param frames of the whole edit
 */
export function cutSteady(segment: Segment, frameRate: FrameRate, frames: number): SegmentCut {
  const isFirst = segment.fromMs === 0
  const isLast = segment.toMs === null
  return {
    chain: [
      ...(isFirst ? [] : [atItsTimes(segment)]),
      // Before the place at which reading begins, there is nothing to fill.
      `fps=${frameRate.text}${isFirst ? ':start_time=0' : ''}`,
      ...(isLast ? ['tpad=stop=-1:stop_mode=clone'] : []),
      '',
    ].join(','),
    after: cutOut(segment, frameRate, frames),
    filters: ['setpts', 'fps', 'trim', ...(isLast ? ['tpad'] : [])],
  }
}

/** The filter that gives what was read the times of the whole. */
function atItsTimes(segment: Segment): string {
  return `setpts=round(PTS+${(readFor(segment).seekMs ?? 0) / 1000}/TB)`
}

/** The filters that cut a segment out of pictures with the times of the whole. */
function cutOut(
  { fromMs, toMs }: Segment,
  joints: FrameRate | null,
  frames: number | null,
): string {
  const timeOf = (atMs: number): number =>
    joints === null ? atMs / 1000 : beforeFrame(firstFrame(atMs, joints), joints)
  const lastS = frames === null || joints === null ? null : beforeFrame(frames, joints)
  const endS = toMs === null ? lastS : timeOf(toMs)
  const ends = [
    ...(fromMs === 0 ? [] : [`start=${timeOf(fromMs).toFixed(6)}`]),
    ...(endS === null ? [] : [`end=${endS.toFixed(6)}`]),
  ]
  const beginS = joints === null ? fromMs / 1000 : `${firstFrame(fromMs, joints)}/(${joints.text})`
  return [
    ...(ends.length === 0 ? [] : [`,trim=${ends.join(':')}`]),
    ...(fromMs === 0 ? [] : [`,setpts=round(PTS-${beginS}/TB)`]),
  ].join('')
}

/** A little before a frame in seconds: also a clock that counts frames rounds it to the frame. */
function beforeFrame(frame: number, { value }: FrameRate): number {
  return (frame - 0.25) / value
}

/** The first frame at a time or after it, as `-force_key_frames` counts. */
function firstFrame(atMs: number, { value }: FrameRate): number {
  return Math.ceil((atMs / 1000) * value - 1e-6)
}

const LIST = 'segments.txt'

/** The segments one after the other, as an input of ffmpeg. */
export const joinedInput = {
  from: { kind: 'scratch', name: LIST },
  flags: ['-f', 'concat'],
} as const

/**
 * The list that ffmpeg joins. It says how long each segment is, because files say that of their
 * packets, which come out of order, and every joint would move the picture. Rounding does not add
 * up. `inpoint` keeps a first picture that comes a little after the beginning of its segment there.
 * @param joints at whose frames segments begin; null = at their own times
 */
export function joinedList(segments: readonly Segment[], joints: FrameRate | null): PlanFile {
  const atUs = ({ fromMs }: Segment): number =>
    joints === null ? fromMs * 1000 : Math.round((firstFrame(fromMs, joints) / joints.value) * 1e6)
  const lines = segments.flatMap((segment, n) => {
    const next = segments[n + 1]
    const duration =
      next === undefined ? [] : [`duration ${((atUs(next) - atUs(segment)) / 1e6).toFixed(6)}`]
    return [`file ${segmentName(n)}`, 'inpoint 0', ...duration]
  })
  return { name: LIST, text: ['ffconcat version 1.0', ...lines, ''].join('\n') }
}
