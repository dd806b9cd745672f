/**
 * Exponential backoff with full jitter: anywhere between 0 and the cap of this attempt (AWS
 * Architecture Blog, 2015).
 */
export interface BackoffShape {
  readonly firstDelayMs: number
  readonly maxDelayMs: number
}

/**
 * Delay before trying again.
 * @param attempt 1 after the first failure
 * @param random 0 <= random < 1
 * @param retryAfterMs the server's Retry-After; the delay is never shorter
 */
export function backoffMs(
  shape: BackoffShape,
  attempt: number,
  random: number,
  retryAfterMs: number | null = null,
): number {
  const cap = Math.min(shape.maxDelayMs, shape.firstDelayMs * 2 ** Math.min(attempt - 1, 30))
  return Math.max(Math.round(cap * random), retryAfterMs ?? 0)
}

/**
 * Milliseconds of a `Retry-After` header (RFC 9110 section 10.2.3: seconds or an HTTP date).
 * @returns null when the header is absent or unreadable; never negative
 */
export function retryAfterToMs(header: string | null, nowEpochMs: number): number | null {
  if (header === null || header.trim() === '') return null
  if (/^\d+$/.test(header.trim())) return Number(header.trim()) * 1000
  const atEpochMs = Date.parse(header)
  return Number.isNaN(atEpochMs) ? null : Math.max(0, atEpochMs - nowEpochMs)
}
