import type { Clock } from '#src/lib/time.ts'

/** The clock of a device whose time runs faster than that of the network and the server. */
export interface FastClock extends Clock {
  stop(): void
}

const TICK_MS = 4

/**
 * A clock that passes `speed()` times as fast, asked again at each of its ticks. So waiting can
 * take no time while a request takes the time that it takes.
 */
export function createFastClock(speed: () => number): FastClock {
  const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>()
  let nowMs = Date.now()
  let tickedAtMs = performance.now()
  const timer = setInterval(() => {
    const atMs = performance.now()
    nowMs += (atMs - tickedAtMs) * speed()
    tickedAtMs = atMs
    for (const { untilMs, wake } of Array.from(sleepers)) if (untilMs <= nowMs) wake()
  }, TICK_MS)
  return {
    now: () => nowMs,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const end = (settle: () => void): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', onAbort)
          settle()
        }
        const onAbort = (): void => end(() => reject(signal?.reason))
        const sleeper = { untilMs: nowMs + delayMs, wake: () => end(resolve) }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    stop: () => clearInterval(timer),
  }
}

/**
 * Makes `setTimeout` and `AbortSignal.timeout`, by which the app limits its requests, `speed` times
 * as fast. Timers of `node:timers` and of Node itself keep their pace. Returns what gives them
 * back.
 */
export function hastenTimers(speed: number): () => void {
  const { setTimeout: usual } = globalThis
  const usualTimeout = AbortSignal.timeout.bind(AbortSignal)
  const fast = (work: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) =>
    usual(work, delayMs / speed, ...given)
  globalThis.setTimeout = Object.assign(fast, usual) as typeof globalThis.setTimeout
  AbortSignal.timeout = (delayMs) => usualTimeout(Math.ceil(delayMs / speed))
  return () => {
    globalThis.setTimeout = usual
    AbortSignal.timeout = usualTimeout
  }
}
