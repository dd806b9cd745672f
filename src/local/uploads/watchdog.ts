import { UPLOAD_TIMEOUT_MS } from '#src/config/limits.ts'

/**
 * Idle limits of one part PUT, by phase; there is no limit on the whole (decision 4.1: a total
 * timeout can never finish a part on a slow line).
 */
export type PutPhase = 'connecting' | 'sending' | 'responding'

const CONNECT_MS = 20_000
const CONNECT_CAP_MS = 160_000
const SEND_MIN_MS = 15_000
const RESPOND_MIN_MS = 60_000
const RESPOND_CAP_MS = 5 * 60_000

/** What was measured so far; `null` when nothing was. */
export interface PutPace {
  /** Attempts in a row that did not even connect; each doubles the connect limit. */
  readonly failedConnects: number
  /**
   * Times in a row that parts were sent whole and never answered; each doubles the limit of the
   * answer.
   */
  readonly unansweredParts: number
  /** Usual time between two progress events. */
  readonly expectedGapMs: number | null
  readonly bytesPerSecond: number | null
}

/**
 * A network stack takes a body in blocks, and progress comes with each; on the safe side of what
 * browsers do.
 */
const PROGRESS_BLOCK_BYTES = 64 * 1_024

/**
 * Usual time between two progress events of one lane when `lanes` share the measured rate; null
 * while nothing was measured.
 */
export function expectedGapMs(
  bytesPerSecond: number | null,
  concurrentParts: number,
): number | null {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return null
  return (PROGRESS_BLOCK_BYTES * 1_000 * Math.max(1, concurrentParts)) / bytesPerSecond
}

/** Longest silence allowed in a phase, in milliseconds. */
export function idleLimitMs(phase: PutPhase, partSizeBytes: number, pace: PutPace): number {
  switch (phase) {
    case 'connecting':
      return Math.min(CONNECT_CAP_MS, CONNECT_MS * 2 ** Math.min(pace.failedConnects, 8))
    case 'sending':
      return Math.min(UPLOAD_TIMEOUT_MS, Math.max(SEND_MIN_MS, 8 * (pace.expectedGapMs ?? 0)))
    case 'responding': {
      // The browser says "all sent" when the last byte is in the system's buffers, not when it has
      // arrived.
      const drainMs =
        pace.bytesPerSecond === null || pace.bytesPerSecond <= 0
          ? 0
          : (2 * partSizeBytes * 1_000) / pace.bytesPerSecond
      // Something in between may take a part at once and pass it on slowly: then the measured rate
      // is not the line's.
      return Math.min(
        RESPOND_CAP_MS,
        Math.max(RESPOND_MIN_MS, drainMs) * 2 ** Math.min(pace.unansweredParts, 8),
      )
    }
  }
}

const WHOLE_MIN_MS = 60_000
/** Beyond a sync event's time to begin parts, waiting longer gains nothing. */
const WHOLE_CAP_MS = 150_000

/**
 * Longest time for a whole part where no progress is heard of: 4 times what the measured rate
 * promises, 60 to 150 s.
 */
export function wholePartLimitMs(partSizeBytes: number, pace: PutPace): number {
  if (pace.bytesPerSecond === null || pace.bytesPerSecond <= 0) return WHOLE_CAP_MS
  return Math.min(
    WHOLE_CAP_MS,
    Math.max(WHOLE_MIN_MS, (4 * partSizeBytes * 1_000) / pace.bytesPerSecond),
  )
}
