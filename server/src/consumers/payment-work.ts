import { inTransaction } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { auditNightly, untilAudit } from '#server/operations/ledger/audit.ts'
import { endTestPayments } from '#server/operations/payments/end-test-payments.ts'
import { settleEvent } from '#server/operations/payments/events.ts'
import { tickPayments } from '#server/operations/payments/tick.ts'

/** How often payments are read again that no notice told of. */
const TICK_EVERY_S = 60

/** A ledger of millions of rows takes minutes. */
const LONGEST_AUDIT_S = 3600

/**
 * Starts the reading of payments in this process, by notices and each minute by itself, and the
 * audit of each night.
 */
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
  await queue.work(
    'audit-ledger',
    { concurrency: 1, retryLimit: 2, expireInS: LONGEST_AUDIT_S },
    async () => {
      try {
        await auditNightly(deps)
      } finally {
        await enqueueAudit(deps, queue)
      }
    },
  )
  await enqueueAudit(deps, queue)
}

/** One waits at a time, whichever process sent it. */
async function enqueueAudit(deps: Deps, queue: Queue): Promise<void> {
  const options = { singletonKey: 'audit-ledger', startAfterS: untilAudit(deps.clock()) }
  await inTransaction(deps, async ({ db }) => {
    await queue.enqueue(db, 'audit-ledger', {}, options)
  })
}

async function enqueueTick(deps: Deps, queue: Queue): Promise<void> {
  const options = { singletonKey: 'payments-tick', startAfterS: TICK_EVERY_S }
  await inTransaction(deps, async ({ db }) => {
    await queue.enqueue(db, 'payments-tick', {}, options)
  })
}
