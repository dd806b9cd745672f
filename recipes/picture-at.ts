import type { FrameRate } from './encoding.ts'

/**
 * [Note: which picture] Plans bring passages to a constant rate by `-ss S` and
 * `fps=R:start_time=0`. Output picture n then shows the last picture of the source with
 * `round((time - S) * R) <= n`, and the first one from S on before it: times are rounded to the
 * nearest picture of the output, also those that lie off its grid. What makes the same pictures
 * without ffmpeg follows the same rule, else it is one picture off in passages whose times are.
 */
export interface PictureTurns {
  /**
   * How many pictures of the output still show the picture before, now that this one comes. Times
   * ascend. Null where it comes before the passage and is never shown.
   */
  next(timeS: number): number | null
  /** How many the last one fills, of a source that ends early. */
  rest(): number
}

/**
 * @param frames of the passage
 * @param clock where the passage begins, by the same clock as the times of pictures, and how many
 *   parts a second times of the source are counted in
 * @param behind so many pictures of the output are shown already
 */
export function pictureTurns(
  frames: number,
  frameRate: FrameRate,
  clock: { readonly startS: number; readonly ticksPerSecond: number },
  behind = 0,
): PictureTurns {
  const [pictures, seconds] = ratioOf(frameRate)
  const { ticksPerSecond } = clock
  const startTicks = Math.round(clock.startS * ticksPerSecond)
  let shown = behind
  let hasOne = false
  const until = (place: number): number => {
    const count = Math.max(0, Math.min(frames, place) - shown)
    shown += count
    return count
  }
  return {
    next: (timeS) => {
      const ticks = Math.round(timeS * ticksPerSecond) - startTicks
      if (ticks < 0) return null
      const isFirst = !hasOne
      hasOne = true
      if (isFirst) return 0
      // In whole numbers: half a picture is rounded up, which a fraction would miss.
      const unit = seconds * ticksPerSecond
      return until(Math.floor((2 * ticks * pictures + unit) / (2 * unit)))
    },
    rest: () => (hasOne ? until(frames) : 0),
  }
}

/** How many pictures a length of time is, to the nearest one, as ffmpeg rounds it. */
export function nearestPicture(ms: number, frameRate: FrameRate): number {
  const [pictures, seconds] = ratioOf(frameRate)
  const unit = seconds * 1000
  // `seconds` of `naming.ts` writes whole milliseconds.
  return Math.floor((2 * Math.round(ms) * pictures + unit) / (2 * unit))
}

/** A rate as pictures in a whole number of seconds, as ffmpeg reads it. */
function ratioOf({ text, value }: FrameRate): readonly [number, number] {
  const [pictures, seconds] = text.split('/').map(Number)
  if (pictures !== undefined && seconds !== undefined) return [pictures, seconds]
  return Number.isInteger(value) ? [value, 1] : [Math.round(value * 100), 100]
}
