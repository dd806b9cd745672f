import { setTimeout as delay } from 'node:timers/promises'

/** Lets so many bytes a second through; `take` waits for its turn. */
export interface Throttle { take(bytes: number): Promise<void> }

/** How far a sender may run ahead, so that timers of a busy machine do not slow the line further. */
const AHEAD_MS = 20
/** A line's own buffers keep it busy while its ends are late; without them a busy machine would make the line slower than it is. */
const BUFFERED_MS = 100

/** A throttle of `bytesPerSecond`, shared by whoever holds it; null lets everything through. */
export function createThrottle(bytesPerSecond: number | null): Throttle {
  if (bytesPerSecond === null) return { take: async () => undefined }
  let freeAtMs = 0
  return {
    take: async (bytes) => {
      const nowMs = performance.now()
      freeAtMs = (nowMs - freeAtMs > BUFFERED_MS ? nowMs : freeAtMs) + (bytes / bytesPerSecond) * 1_000
      if (freeAtMs - nowMs > AHEAD_MS) await delay(freeAtMs - nowMs)
    },
  }
}
