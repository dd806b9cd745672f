/** A clock and its timer, handed in so that tests own the time. */
export interface Clock {
  /** Milliseconds since 1970 of this device; never trust it against the server's. */
  now(): number
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The clock of the running context (page or worker). */
export function createClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        const onAbort = (): void => {
          clearTimeout(timer)
          reject(signal?.reason)
        }
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }, delayMs)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }
}
