import { setTimeout as delay } from 'node:timers/promises'

/** Lets this many bytes a second pass; `take` waits in order. */
export interface Throttle {
  take(bytes: number): Promise<void>
}

/**
 * How far a sender may run ahead, so that the timers of a busy machine do not slow the network
 * further.
 */
const AHEAD_MS = 20
/**
 * A real network's buffers keep it busy while its ends are late; without them a busy machine would
 * make the network slower than it is.
 */
const BUFFERED_MS = 100
/** How often a waiting sender checks whether the rate has changed. */
const LOOK_MS = 50

/**
 * A throttle of as many bytes a second as `rate` returns at each moment, shared by all its users;
 * null means no limit.
 */
export function createThrottle(rate: () => number | null): Throttle {
  let freeAtMs = 0
  return {
    take: async (bytes) => {
      const bytesPerSecond = rate()
      if (bytesPerSecond === null) return
      const nowMs = performance.now()
      freeAtMs =
        (nowMs - freeAtMs > BUFFERED_MS ? nowMs : freeAtMs) + (bytes / bytesPerSecond) * 1_000
      const turnMs = freeAtMs
      for (let waitMs = turnMs - nowMs; waitMs > AHEAD_MS; waitMs = turnMs - performance.now()) {
        await delay(Math.min(LOOK_MS, waitMs))
        if (rate() === bytesPerSecond) continue
        freeAtMs = 0
        return
      }
    },
  }
}
