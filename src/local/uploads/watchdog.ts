/**
 * Idle limits of one part PUT, by phase; there is no limit on the whole (decision 4.1: a total timeout can never finish a
 * part on a slow line).
 */
export type PutPhase = 'connecting' | 'sending' | 'responding'

const CONNECT_MS = 20_000
const CONNECT_CAP_MS = 160_000
const SEND_MIN_MS = 15_000
const SEND_CAP_MS = 60_000
const RESPOND_MIN_MS = 60_000
const RESPOND_CAP_MS = 5 * 60_000

/** What was measured so far; `null` when nothing was. */
export interface PutPace {
  /** Attempts in a row that did not even connect; each doubles the connect limit. */
  readonly failedConnects: number
  /** Usual time between two progress events. */
  readonly expectedGapMs: number | null
  readonly bytesPerSecond: number | null
}

/** Longest silence allowed in a phase, in milliseconds. */
export function idleLimitMs(phase: PutPhase, partSizeBytes: number, pace: PutPace): number {
  switch (phase) {
    case 'connecting':
      return Math.min(CONNECT_CAP_MS, CONNECT_MS * 2 ** Math.min(pace.failedConnects, 8))
    case 'sending':
      return Math.min(SEND_CAP_MS, Math.max(SEND_MIN_MS, 8 * (pace.expectedGapMs ?? 0)))
    case 'responding': {
      // The browser says "all sent" when the last byte is in the system's buffers, not when it has arrived.
      const drainMs = pace.bytesPerSecond === null || pace.bytesPerSecond <= 0 ? 0 : (2 * partSizeBytes * 1_000) / pace.bytesPerSecond
      return Math.min(RESPOND_CAP_MS, Math.max(RESPOND_MIN_MS, drainMs))
    }
  }
}
