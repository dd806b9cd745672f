import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { auditNightly, untilAudit } from '#server/operations/core/ledger/audit.ts'
import { endTestPayments } from '#server/operations/commerce/payments/end-test-payments.ts'
import { settleEvent } from '#server/operations/commerce/payments/events.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { repeatWork } from './repeat-work.ts'

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
  await repeatWork(deps, queue, {
    kind: 'payments-tick',
    expireInS: 300,
    startAfterS: () => TICK_EVERY_S,
    run: async () => await tickPayments(deps),
  })
  await repeatWork(deps, queue, {
    kind: 'audit-ledger',
    expireInS: LONGEST_AUDIT_S,
    startAfterS: () => untilAudit(deps.clock()),
    run: async () => await auditNightly(deps),
  })
}
