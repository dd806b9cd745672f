import { setTimeout as delay } from 'node:timers/promises'

/** Lets so many bytes a second through; `take` waits for its turn. */
export interface Throttle {
  take(bytes: number): Promise<void>
}

/**
 * How far a sender may run ahead, so that timers of a busy machine do not slow the line further.
 */
const AHEAD_MS = 20
/**
 * A line's own buffers keep it busy while its ends are late; without them a busy machine would make
 * the line slower than it is.
 */
const BUFFERED_MS = 100
/** Whoever waits looks this often whether the line has become another one. */
const LOOK_MS = 50

/**
 * A throttle of as many bytes a second as `rate` says at each moment, shared by whoever holds it;
 * null lets everything through.
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
