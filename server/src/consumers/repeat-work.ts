import { inTransaction } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'

/** Work that comes again by itself. */
interface Repeated {
  readonly kind: 'sweep' | 'payments-tick' | 'audit-ledger'
  /** Seconds after which one run is taken for dead. */
  readonly expireInS: number
  /** Seconds from the end of one run to the next. */
  readonly startAfterS: () => number
  readonly run: () => Promise<void>
}

/**
 * Has work come again and again, in one process at a time: each run sends the next one, also when
 * it fails, and one waits at a time, whichever process sent it.
 */
export async function repeatWork(
  deps: Deps,
  queue: Queue,
  { kind, expireInS, startAfterS, run }: Repeated,
): Promise<void> {
  const sendNext = async (): Promise<void> => {
    const options = { singletonKey: kind, startAfterS: startAfterS() }
    await inTransaction(deps, async ({ db }) => await queue.enqueue(db, kind, {}, options))
  }
  await queue.work(kind, { concurrency: 1, retryLimit: 2, expireInS }, async () => {
    try {
      await run()
    } finally {
      await sendNext()
    }
  })
  await sendNext()
}
