import type { Clock } from '#src/lib/time.ts'

/** Time that moves only when the test says so. */
export interface SimulatedClock extends Clock {
  /**
   * Runs timers in order until `isDone` or until `forMs` have passed; lets all promises settle in
   * between.
   */
  run(forMs: number, isDone?: () => boolean): Promise<boolean>
  /** The computer sleeps: time passes, no timer fires meanwhile. */
  jump(byMs: number): void
}

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly fire: () => void
}

export function createSimulatedClock(startEpochMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  const timers = new Set<Timer>()
  let nowMs = startEpochMs
  let order = 0
  return {
    now: () => nowMs,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const onAbort = (): void => {
          timers.delete(timer)
          reject(signal?.reason)
        }
        const timer: Timer = {
          atMs: nowMs + Math.max(0, delayMs),
          order: order++,
          fire: () => {
            timers.delete(timer)
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        timers.add(timer)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    run: async (forMs, isDone = () => false) => {
      const endMs = nowMs + forMs
      for (;;) {
        await settled()
        if (isDone()) return true
        const next = Array.from(timers).toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0]
        if (next === undefined || next.atMs > endMs) {
          nowMs = Math.max(nowMs, endMs)
          return false
        }
        nowMs = Math.max(nowMs, next.atMs)
        next.fire()
      }
    },
    jump: (byMs) => {
      nowMs += byMs
    },
  }
}

/** All microtasks have run: a macrotask comes after them. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
