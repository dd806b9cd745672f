import { setTimeout } from 'node:timers/promises'
import { LONGEST_OUTAGE_MS, LONGEST_REST_MS } from '#server/budgets.ts'
import { isUnavailable } from '#server/problems.ts'
import type { ObjectStore } from './port.ts'

/** Between two looks at a store that is away. */
const LOOK_MS = 2_000

/**
 * Does `work`, which only calls the store and may be repeated. Where the store is away it waits and
 * does it again, so that an outage costs a worker nothing of what it has made. After an hour of
 * that, and for all other reasons, it throws what `work` threw. Rejects with the reason of
 * `signal`.
 */
export async function outlast<T>(
  store: Pick<ObjectStore, 'isAway'>,
  signal: AbortSignal,
  work: () => Promise<T>,
  lookMs = LOOK_MS,
): Promise<T> {
  const endsAt = performance.now() + LONGEST_OUTAGE_MS
  const isWorthIt = (): boolean => performance.now() < endsAt
  // A store that answers and still refuses is not sent the same gigabytes each two seconds.
  for (let restMs = lookMs; ; restMs = Math.min(LONGEST_REST_MS, 2 * restMs))
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isUnavailable(error) || !isWorthIt()) throw error
      await setTimeout(restMs, undefined, { signal })
      while (isWorthIt() && (await orAborted(store.isAway(), signal)))
        await setTimeout(lookMs, undefined, { signal })
    }
}

/** What `waiting` gives; rejects with the reason of `signal`, which ends only this waiting. */
export async function orAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    return await Promise.race([waiting, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
