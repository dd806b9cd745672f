import type { Log } from '#src/lib/log.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** Long for a database, which opens in some 30 ms, and short for a person who waits. */
const ASK_AGAIN_MS = 2 * SECOND_MS
const ASKS = 5

export interface PatienceDeps {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Opens a database where a browser may leave a request without any answer: asks again every two
 * seconds, five times, and takes the first answer. A slow browser loses nothing by that. Rejects
 * with the first refusal; without any answer it waits on.
 * @param open may run several times at once
 * @param end what is done with an answer that came too late
 */
export async function openPatiently<T>(
  { clock, log }: PatienceDeps,
  open: () => Promise<T>,
  end: (late: T) => unknown,
): Promise<T> {
  const first = Promise.withResolvers<T>()
  const over = new AbortController()
  const ask = async (): Promise<void> => {
    try {
      const opened = await open()
      if (over.signal.aborted) await end(opened)
      else first.resolve(opened)
    } catch (thrown) {
      first.reject(thrown)
    } finally {
      over.abort()
    }
  }
  for (let asked = 1; asked <= ASKS && !over.signal.aborted; asked += 1) {
    if (asked > 1) log.warn('the browser does not answer whether a database can be opened')
    void ask()
    const wait = clock.sleep(ASK_AGAIN_MS, over.signal).catch(() => undefined)
    await Promise.race([first.promise.catch(() => undefined), wait])
  }
  return first.promise
}
