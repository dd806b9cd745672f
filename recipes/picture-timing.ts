import { LEAST_RATE, MOST_RATE, steadyFrameRate, type FrameRate } from './encoding.ts'
import { framesIn } from './passage-steps.ts'
import { onTime } from './picture.ts'
import { isLittleLate } from './first-picture.ts'
import { cutOwn, cutSteady, FIRST_AT_ONCE } from './segments.ts'
import type { PreviewWindow, Segment, SourceProbe } from './types.ts'

/**
 * [Note: when pictures are shown] An edit of a whole video begins with a picture, and its picture
 * is as long as the video. A track of MP4 ends by the times at which pictures are decoded; encoders
 * store them out of order, so where the last ones are shown for long, the track ends as much too
 * early. So where a picture stays for longer than at ten pictures a second (recordings of screens,
 * time lapse, sound that outlasts the picture), the edit has a constant rate, and shows the last
 * picture again until its end. Any other video keeps its own times, also uneven ones.
 */
export interface PictureTiming {
  /** The first filters on the picture, with a comma after them. */
  readonly chain: string
  /** The last ones, with a comma before them; nothing but of a segment. */
  readonly after: string
  readonly filters: readonly string[]
  /** For the encoder. */
  readonly args: readonly string[]
  /** At frames of which rate segments begin; null = at their times. */
  readonly joints: FrameRate | null
}

/** Ten pictures a second, and what clocks of whole milliseconds miss. */
const LONGEST_STAY_MS = 1000 / LEAST_RATE + 5

/**
 * The clock of an encoder whose pictures come at any time. Without it ffmpeg puts them on a grid of
 * the rate that it takes the source for, and leaves out what falls on a place that is taken.
 */
const FINE_CLOCK = ['-enc_time_base', '1/90000']

/**
 * The picture as it is timed, up to 60 a second.
 * @param part what a preview shows; null = all of the video
 * @param segment of a source that `divide` takes; null = no segment
 */
export function ownTiming(
  source: SourceProbe,
  part: PreviewWindow | null = null,
  segment: Segment | null = null,
): PictureTiming {
  const frameRate = steadyFrameRate(source, MOST_RATE)
  if (!keepsOwnTimes(source)) return steadyTiming(source, part, frameRate, segment)
  const isUneven = !isRegular(source)
  const joints = isUneven ? null : frameRate
  const args = ['-fps_mode', 'vfr', ...(isUneven ? FINE_CLOCK : [])]
  if (segment !== null) return { ...cutOwn(segment, joints), args, joints }
  return {
    chain: `${onTime(source)}${FIRST_AT_ONCE}`,
    after: '',
    filters: ['setpts'],
    args,
    joints,
  }
}

/** What a clock of whole milliseconds and the rounding of `longestStayMs` add to a picture. */
const CLOCK_MS = 2

/**
 * Whether pictures have a constant rate that is known so well that its times fit to the end. Of
 * what is not known it is taken for granted.
 */
function isRegular(source: SourceProbe): boolean {
  const { value } = steadyFrameRate(source, MOST_RATE)
  return (
    source.nominalRate === undefined &&
    !isLittleLate(source) &&
    (source.longestStayMs ?? 0) <= 1000 / value + CLOCK_MS &&
    Math.abs(value - source.frameRate) * (source.durationMs / 1000) < 1
  )
}

/** Whether an edit of the whole video shows each picture once, at its own time. */
export function keepsOwnTimes(source: SourceProbe): boolean {
  return (source.nominalRate ?? source.frameRate) <= MOST_RATE && !picturesStay(source)
}

/** Whether a picture of the video is shown for longer than times can be kept. */
export function picturesStay({ longestStayMs = 0 }: SourceProbe): boolean {
  return longestStayMs > LONGEST_STAY_MS
}

/** The picture at a constant rate, exactly as long as the video. */
export function steadyTiming(
  source: SourceProbe,
  part: PreviewWindow | null = null,
  frameRate: FrameRate = steadyFrameRate(source),
  segment: Segment | null = null,
): PictureTiming {
  const frames = framesIn((part ?? source).durationMs, { frameRate })
  if (segment !== null)
    return { ...cutSteady(segment, frameRate, frames), args: [], joints: frameRate }
  return {
    chain: `${onTime(source)}fps=${frameRate.text}:start_time=0,tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames},`,
    after: '',
    filters: ['setpts', 'fps', 'tpad', 'trim'],
    args: [],
    joints: frameRate,
  }
}
