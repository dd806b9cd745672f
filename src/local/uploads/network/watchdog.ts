import type { PutPace } from '#src/local/uploads/ports.ts'
import { UPLOAD_TIMEOUT_MS } from '#spec/numbers.ts'

/**
 * Idle limits of one part PUT, by phase. There is no limit on the whole attempt: on a slow network
 * a part could never finish under one (docs/product-decisions.md#part-timeouts).
 */
export type PutPhase = 'connecting' | 'sending' | 'responding'

const CONNECT_MS = 20_000
const CONNECT_CAP_MS = 160_000
const SEND_MIN_MS = 15_000
const RESPOND_MIN_MS = 60_000
const RESPOND_CAP_MS = 5 * 60_000

/**
 * A network stack takes a body in blocks and reports progress with each; larger than the blocks of
 * browsers, to be on the safe side.
 */
const PROGRESS_BLOCK_BYTES = 64 * 1_024

/**
 * Usual time between two progress events of one part when this many parts share the measured rate;
 * null before the first measurement.
 */
export function expectedGapMs(
  bytesPerSecond: number | null,
  concurrentParts: number,
): number | null {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return null
  return (PROGRESS_BLOCK_BYTES * 1_000 * Math.max(1, concurrentParts)) / bytesPerSecond
}

/** Longest silence allowed in a phase, in milliseconds. */
export function idleLimitMs(phase: PutPhase, bodyBytes: number, pace: PutPace): number {
  switch (phase) {
    case 'connecting':
      return Math.min(CONNECT_CAP_MS, CONNECT_MS * 2 ** Math.min(pace.failedConnects, 8))
    case 'sending':
      return Math.min(UPLOAD_TIMEOUT_MS, Math.max(SEND_MIN_MS, 8 * (pace.expectedGapMs ?? 0)))
    case 'responding': {
      // The browser reports "all sent" when the last byte is in the system's buffers, not when it
      // has arrived.
      const drainMs =
        pace.bytesPerSecond === null || pace.bytesPerSecond <= 0
          ? 0
          : (2 * bodyBytes * 1_000) / pace.bytesPerSecond
      // A proxy may take a part at once and pass it on slowly: then the measured rate is not that
      // of the network.
      return Math.min(
        RESPOND_CAP_MS,
        Math.max(RESPOND_MIN_MS, drainMs) * 2 ** Math.min(pace.unanswered, 8),
      )
    }
  }
}

const WHOLE_MIN_MS = 60_000
/** A sync event has no more time than this to start parts, so waiting longer gains nothing. */
const WHOLE_CAP_MS = 150_000

/**
 * Longest time for a whole body when the transport reports no progress: 4 times what the measured
 * rate promises, 60 to 150 s.
 */
export function wholeBodyLimitMs(bodyBytes: number, pace: PutPace): number {
  if (pace.bytesPerSecond === null || pace.bytesPerSecond <= 0) return WHOLE_CAP_MS
  return Math.min(
    WHOLE_CAP_MS,
    Math.max(WHOLE_MIN_MS, (4 * bodyBytes * 1_000) / pace.bytesPerSecond),
  )
}
