import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '#src/lib/time.ts'

/** Time of a device that runs faster than that of the network and the server. */
export interface FastTime {
  readonly clock: Clock
  /** Gives the globals back. */
  restore(): void
}

/**
 * Makes the time of the code under test run `speed` times as fast: its clock, `setTimeout` and
 * `AbortSignal.timeout`. Node's own timers and those of `node:timers` keep their pace, so the
 * network and the server are not faster than they are.
 */
export function hastenTime(speed: number): FastTime {
  const { setTimeout: usual } = globalThis
  const usualTimeout = AbortSignal.timeout.bind(AbortSignal)
  const startedAtMs = Date.now()
  const fast = (work: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) =>
    usual(work, delayMs / speed, ...given)
  globalThis.setTimeout = Object.assign(fast, usual) as typeof globalThis.setTimeout
  AbortSignal.timeout = (delayMs) => usualTimeout(Math.ceil(delayMs / speed))
  return {
    clock: {
      now: () => startedAtMs + (Date.now() - startedAtMs) * speed,
      sleep: async (delayMs, signal) => {
        try {
          await delay(delayMs / speed, undefined, signal === undefined ? {} : { signal })
        } catch (thrown) {
          throw signal?.aborted === true ? signal.reason : thrown
        }
      },
    },
    restore: () => {
      globalThis.setTimeout = usual
      AbortSignal.timeout = usualTimeout
    },
  }
}
