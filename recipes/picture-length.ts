/** When the picture is shown, and when its file begins; seconds by the file's own clock. */
export interface PictureSpan {
  readonly fileStartS: number
  readonly startS: number
  readonly endS: number
}

/**
 * A late start of up to this much is not length. Encoders of sound begin with up to 2,112 samples
 * that players skip (AAC at 22 kHz: 96 ms), and Matroska moves the picture back by them. A later
 * picture is: the edits show what is before it.
 */
const LATE_START_S = 0.1

/**
 * How long the picture is shown, in whole milliseconds: the length that prices follow, by the same
 * rule on the device and on the server. Sound that outlasts the picture is no part of it.
 */
export function pictureLengthMs({ fileStartS, startS, endS }: PictureSpan): number {
  const isLate = startS - fileStartS > LATE_START_S
  return Math.round((endS - (isLate ? fileStartS : startS)) * 1000)
}
