/**
 * Speed and time left, from bytes that really moved in this session. Restored bytes never enter,
 * pauses do not count as slowness, and no time is named before 20 s of sending: a number that jumps
 * is worse than none.
 */
export const TIME_LEFT_AFTER_MS = 20_000
/** Time constant of the smoothing. */
const SMOOTHING_MS = 10_000
/** A longer silence between two observations was sleep or a pause, not a slow line. */
const LONGEST_GAP_MS = 10_000

export interface Rate {
  readonly lastAtMs: number | null
  readonly lastMovedBytes: number
  readonly activeMs: number
  readonly bytesPerSecond: number
}

/** A rate that knows nothing yet. */
export function createRate(): Rate {
  return { lastAtMs: null, lastMovedBytes: 0, activeMs: 0, bytesPerSecond: 0 }
}

/**
 * Adds an observation: `movedBytes` counts all bytes moved since the session began, repeats
 * included; it only grows.
 */
export function observe(rate: Rate, nowMs: number, movedBytes: number): Rate {
  const elapsedMs = rate.lastAtMs === null ? 0 : nowMs - rate.lastAtMs
  const seen = {
    ...rate,
    lastAtMs: nowMs,
    lastMovedBytes: Math.max(rate.lastMovedBytes, movedBytes),
  }
  if (rate.lastAtMs === null || elapsedMs > LONGEST_GAP_MS || elapsedMs < 0) return seen
  if (elapsedMs === 0) return rate
  const current = (Math.max(0, movedBytes - rate.lastMovedBytes) / elapsedMs) * 1_000
  // Young rates average plainly; later ones forget with the time constant.
  const weight = Math.max(
    1 - Math.exp(-elapsedMs / SMOOTHING_MS),
    elapsedMs / (rate.activeMs + elapsedMs),
  )
  return {
    ...seen,
    activeMs: rate.activeMs + elapsedMs,
    bytesPerSecond: rate.bytesPerSecond + weight * (current - rate.bytesPerSecond),
  }
}

/** Sending stopped (pause, waiting): what follows is not measured against the time before. */
export function interrupt(rate: Rate): Rate {
  return { ...rate, lastAtMs: null }
}

/** Whole seconds until `remainingBytes` have moved; null while it would be a guess. */
export function secondsLeft(rate: Rate, remainingBytes: number): number | null {
  if (rate.activeMs < TIME_LEFT_AFTER_MS || rate.bytesPerSecond < 1) return null
  return Math.ceil(Math.max(0, remainingBytes) / rate.bytesPerSecond)
}
