/**
 * A part of the source's time, in milliseconds; `endMs` is after `startMs` and not part of it.
 * Stretches that a person chooses are of whole milliseconds.
 */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}
