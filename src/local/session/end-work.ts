import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** Long for workers, which end what they do within some 100 ms, and short for a person. */
const WITHIN_MS = 5 * SECOND_MS

/**
 * Ends what works with an account's data, in any order. What fails, or does not answer in time, is
 * left: a worker that died never answers, and its database connection is cut by what comes next.
 * Never rejects.
 */
export async function endWork(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  stops: readonly (() => Promise<void>)[],
): Promise<void> {
  const isOver = new AbortController()
  const late = clock.sleep(WITHIN_MS, isOver.signal).then(
    () => log.warn('what works with the data of the account does not end'),
    () => undefined,
  )
  const ends = stops.map(async (stop) => {
    await stop().catch((thrown: unknown) =>
      log.error('what works with the data of the account failed to end', describeBug(thrown)),
    )
  })
  await Promise.race([Promise.all(ends), late])
  isOver.abort()
}
