/**
 * An edit that leaves out less than this counts as the whole video: a viewer does not notice what
 * is missing, and two programs may measure one length a tenth of a second apart.
 */
const LEAST_LEFT_OUT_MS = 1000

/** What a form proposes at first grows with the video up to here. */
const PROPOSED_SHARE = 1 / 3

/** Whether an edit of this length leaves out next to nothing of its source. */
export function isCopy(lengthMs: number, sourceDurationMs: number): boolean {
  return lengthMs > sourceDurationMs - LEAST_LEFT_OUT_MS
}

/** An edit of this length is a copy of its source unless the source is longer than this. */
export function shortestSource(lengthMs: number): number {
  return lengthMs + LEAST_LEFT_OUT_MS
}

interface Lengths {
  readonly leastMs: number
  /** For long sources, and while the length of the source is not known. */
  readonly mostMs: number
  /** The lengths that the form counts in. */
  readonly stepMs: number
}

/** The length that a form proposes: at most a third of the source, within the limits. */
export function proposedLength(
  sourceDurationMs: number | null,
  { leastMs, mostMs, stepMs }: Lengths,
): number {
  if (sourceDurationMs === null) return mostMs
  const shareMs = Math.floor((sourceDurationMs * PROPOSED_SHARE) / stepMs) * stepMs
  return Math.min(mostMs, Math.max(leastMs, shareMs))
}
