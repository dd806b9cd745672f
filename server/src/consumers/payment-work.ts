import { inTransaction } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { endTestPayments } from '#server/operations/payments/end-test-payments.ts'
import { settleEvent } from '#server/operations/payments/events.ts'
import { tickPayments } from '#server/operations/payments/tick.ts'

/** How often payments are read again that no notice told of. */
const TICK_EVERY_S = 60

/** Starts the reading of payments in this process: by notices, and each minute by itself. */
export async function startPaymentWork(deps: Deps, queue: Queue): Promise<void> {
  await endTestPayments(deps)
  await queue.work(
    'settle-payment',
    { concurrency: 2, retryLimit: 10, expireInS: 120 },
    ({ data }) => settleEvent(deps, data),
  )
  await queue.work('payments-tick', { concurrency: 1, retryLimit: 2, expireInS: 300 }, async () => {
    try {
      await tickPayments(deps)
    } finally {
      await enqueueTick(deps, queue)
    }
  })
  await enqueueTick(deps, queue)
}

async function enqueueTick(deps: Deps, queue: Queue): Promise<void> {
  const options = { singletonKey: 'payments-tick', startAfterS: TICK_EVERY_S }
  await inTransaction(deps, async ({ db }) => {
    await queue.enqueue(db, 'payments-tick', {}, options)
  })
}
