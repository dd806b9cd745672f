import { backoffMs } from '#src/lib/backoff.ts'

/** Full jitter between 0 and 1 s, 2 s, 4 s, … 60 s: a person may be watching the countdown. */
const SHAPE = { firstDelayMs: 1_000, maxDelayMs: 60_000 }
/** Full jitter may draw 0, which would be a busy loop when each try fails instantly. */
const FLOOR_MS = 200
/** A server may ask for more than the cap of the shape; a longer wish is treated as a mistake. */
const RETRY_AFTER_CAP_MS = 10 * 60_000

/**
 * How long an upload waits before the next try, in milliseconds: at least what the server asked
 * for.
 *
 * @param attempt attempts in a row that moved no byte, 1 or more
 * @param random 0 <= random < 1
 * @param retryAfterMs the server's `Retry-After`, or null
 */
export function uploadDelayMs(
  attempt: number,
  random: number,
  retryAfterMs: number | null,
): number {
  const wished = retryAfterMs === null ? null : Math.min(retryAfterMs, RETRY_AFTER_CAP_MS)
  return Math.max(FLOOR_MS, backoffMs(SHAPE, Math.max(1, attempt), random, wished))
}
