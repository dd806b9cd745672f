/**
 * Speed and time left, computed from bytes that moved in this drive. Restored bytes never count,
 * pauses are not slowness, and no time is shown before 20 s of sending: a number that jumps is
 * worse than none.
 */
const TIME_LEFT_AFTER_MS = 20_000
/** Time constant of the smoothing. */
const SMOOTHING_MS = 10_000
/** A longer gap between two observations was sleep or a pause, not a slow network. */
const LONGEST_GAP_MS = 10_000

export interface Rate {
  readonly lastAtMs: number | null
  readonly lastMovedBytes: number
  readonly activeMs: number
  readonly bytesPerSecond: number
}

/** A rate without observations. */
export function createRate(): Rate {
  return { lastAtMs: null, lastMovedBytes: 0, activeMs: 0, bytesPerSecond: 0 }
}

/**
 * Adds an observation. `movedBytes` counts all bytes moved since the drive started, repeats
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
  // Young rates are plain averages; older ones decay with the time constant.
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

/** Sending stopped (pause, wait): the next observation starts a new measurement. */
export function interrupt(rate: Rate): Rate {
  return { ...rate, lastAtMs: null }
}

/** Whole seconds until `remainingBytes` have moved; null when there are too few observations. */
export function secondsLeft(rate: Rate, remainingBytes: number): number | null {
  if (rate.activeMs < TIME_LEFT_AFTER_MS || rate.bytesPerSecond < 1) return null
  return Math.ceil(Math.max(0, remainingBytes) / rate.bytesPerSecond)
}
