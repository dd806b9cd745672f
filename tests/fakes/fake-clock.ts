import type { Clock } from '#src/lib/time.ts'

/** A clock that only moves when told to; sleeps end when their time has come. */
export interface FakeClock extends Clock {
  advance(byMs: number): Promise<void>
}

/** Starts at an arbitrary fixed time. */
export function createFakeClock(startEpochMs = 1_790_000_000_000): FakeClock {
  let now = startEpochMs
  const sleepers = new Set<{ readonly atEpochMs: number; readonly wake: () => void }>()
  return {
    now: () => now,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        const sleeper = { atEpochMs: now + delayMs, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
      }),
    advance: async (byMs) => {
      now += byMs
      for (const sleeper of sleepers) {
        if (sleeper.atEpochMs > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await Promise.resolve()
    },
  }
}
