import { MOST_RATE, steadyFrameRate, type FrameRate } from './encoding.ts'
import type { PlanFile, Segment, SourceProbe } from './types.ts'

/**
 * [Note: segments] The picture of a long edit of a whole video can be made in segments, each by
 * another worker, and joined without encoding it again. A segment begins with a key frame, at a
 * multiple of the time between two of them in the whole. Its filters work with the times of the
 * whole, so what moves is where it is in the whole; the encoder gets times from 0 on, because files
 * that begin late are joined late. It reads from a second before, so that the picture which is
 * shown at its beginning is there. The sound is made in one piece, where the segments are joined:
 * levels and filters of it know what came before.
 */
export interface SegmentRules {
  /** From one key frame to the next. */
  readonly everyMs: number
  /**
   * Whether pictures of the edit have a constant rate, or the times of the source. Then only a
   * source with a constant rate can be divided, whose times are known without reading it.
   */
  readonly timing: 'constant' | 'own'
}

/** The file that the plan of a segment makes. */
export const SEGMENT_FILE = 'segment.mp4'

/** The name of a segment beside the others that it is joined with. */
export function segmentName(n: number): string {
  return `segment-${n}.mp4`
}

/** As much is read before a segment; no picture of a source that is divided stays for longer. */
const LEAD_MS = 1000

/**
 * The segments of about this length that an edit of the source is divided in, in order and without
 * gaps; null where it has to be made whole: by its recipe, or because the source is too short or
 * not of a kind in which every place is found to the picture.
 */
export function divide(
  { segments: rules }: { readonly segments?: SegmentRules },
  source: SourceProbe,
  lengthMs: number,
): readonly Segment[] | null {
  if (rules === undefined || !isSeekable(source)) return null
  if (rules.timing === 'own' && !isRegular(source)) return null
  const stepMs = Math.max(1, Math.round(lengthMs / rules.everyMs)) * rules.everyMs
  // What is left at the end is more than half a segment.
  const count = Math.round(source.durationMs / stepMs)
  if (count < 2) return null
  return Array.from({ length: count }, (_, n) => ({
    fromMs: n * stepMs,
    toMs: n === count - 1 ? null : (n + 1) * stepMs,
  }))
}

/**
 * Whether a run that begins at any second shows the same pictures at the same times as one that
 * reads all. Not tried: fields, light of HDR, and pictures that change their size.
 */
function isSeekable(source: SourceProbe): boolean {
  return (
    !/\.(?:avi|divx)$/i.test(source.fileName) &&
    source.leadMs === undefined &&
    source.pictureLateMs === undefined &&
    (source.pictureStartMs ?? 0) === 0 &&
    source.startsWithoutKey !== true &&
    source.hidesPictures !== true &&
    source.pictureChanges !== true &&
    source.isInterlaced !== true &&
    source.fieldOrder === undefined &&
    !source.isHdr &&
    (source.longestStayMs ?? Infinity) < LEAD_MS
  )
}

/** What a clock of whole milliseconds and the rounding of `longestStayMs` add to a picture. */
const CLOCK_MS = 2

/** Whether pictures have a constant rate that is known so well that its times fit to the end. */
function isRegular(source: SourceProbe): boolean {
  const { value } = ownRate(source)
  return (
    source.nominalRate === undefined &&
    (source.longestStayMs ?? Infinity) <= 1000 / value + CLOCK_MS &&
    Math.abs(value - source.frameRate) * (source.durationMs / 1000) < 1
  )
}

function ownRate(source: SourceProbe): FrameRate {
  return steadyFrameRate(source, MOST_RATE)
}

/** How the source is read for a segment. */
export function readFor({ fromMs, toMs }: Segment): { seekMs?: number; durationMs?: number } {
  // Whole seconds are exact by most clocks, and `cutSegment` rounds what is not.
  const seekMs = Math.max(0, Math.floor((fromMs - LEAD_MS) / 1000) * 1000)
  return {
    ...(seekMs > 0 ? { seekMs } : {}),
    ...(toMs === null ? {} : { durationMs: toMs + LEAD_MS - seekMs }),
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

/**
 * The pictures of a segment at a constant rate.
 * @param frames of the whole edit. Never more: at the end of some files the filter shows the last
 *   picture twice.
 * @param isHeld whether the last picture is held until then, where the source has fewer
 */
export function cutSegment(
  segment: Segment,
  frameRate: FrameRate,
  { frames, isHeld }: { readonly frames: number; readonly isHeld: boolean },
): SegmentCut {
  const { seekMs = 0 } = readFor(segment)
  const first = firstFrame(segment.fromMs, frameRate)
  const end = segment.toMs === null ? frames : firstFrame(segment.toMs, frameRate)
  const holds = segment.toMs === null && isHeld
  return {
    chain: [
      ...(seekMs === 0 ? [] : [`setpts=round(PTS+${seekMs / 1000}/TB)`]),
      // Before the place at which reading begins, there is nothing to fill.
      `fps=${frameRate.text}${seekMs === 0 ? ':start_time=0' : ''}`,
      ...(holds ? ['tpad=stop=-1:stop_mode=clone'] : []),
      // Behind `fps`, times are the numbers of frames.
      `trim=start_pts=${first}:end_pts=${end}`,
      '',
    ].join(','),
    after: first === 0 ? '' : `,setpts=round(PTS-${first}/(${frameRate.text})/TB)`,
    filters: ['setpts', 'fps', 'trim', ...(holds ? ['tpad'] : [])],
  }
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
 * up.
 */
export function joinedList(segments: readonly Segment[], frameRate: FrameRate): PlanFile {
  const atUs = ({ fromMs }: Segment): number =>
    Math.round((firstFrame(fromMs, frameRate) / frameRate.value) * 1e6)
  const lines = segments.flatMap((segment, n) => {
    const next = segments[n + 1]
    const duration =
      next === undefined ? [] : [`duration ${((atUs(next) - atUs(segment)) / 1e6).toFixed(6)}`]
    return [`file ${segmentName(n)}`, ...duration]
  })
  return { name: LIST, text: ['ffconcat version 1.0', ...lines, ''].join('\n') }
}
