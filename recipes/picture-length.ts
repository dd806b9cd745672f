/** When picture and sound are shown; seconds by the file's own clock. */
export interface ShownSpan {
  /** Of the picture, or of the sound of a file without one. */
  readonly startS: number
  readonly endS: number
  /** Null where there is no sound beside the picture, or where nothing says when it ends. */
  readonly soundEndS: number | null
}

/**
 * Sound that goes on for longer than this after the picture has the last picture held for it, as
 * players do. Cameras end their sound up to half a second after the picture; that much
 * is no reason to charge another minute.
 */
const HELD_FROM_S = 1

/**
 * How long the video is, in whole milliseconds: from its first picture until its last one ends, or
 * the sound that it is held for. Prices and plans follow it, by the same rule on the device and on
 * the server.
 */
export function pictureLengthMs({ startS, endS, soundEndS }: ShownSpan): number {
  const isHeld = soundEndS !== null && soundEndS - endS > HELD_FROM_S
  return Math.round(((isHeld ? soundEndS : endS) - startS) * 1000)
}
