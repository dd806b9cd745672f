import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { deliverMail } from '#server/operations/core/mail/send.ts'
import { deliverPush } from '#server/operations/accounts/pushes/deliver.ts'
import { startMediaWork } from './media-work.ts'
import { startPaymentWork } from './payment-work.ts'

/** Starts consuming every kind of message in this process; each kind has its line here. */
export async function startConsumers(deps: Deps, queue: Queue): Promise<void> {
  await queue.work('send-mail', { concurrency: 2, retryLimit: 10, expireInS: 120 }, ({ data }) =>
    deliverMail(deps, data),
  )
  await queue.work('send-push', { concurrency: 2, retryLimit: 10, expireInS: 120 }, ({ data }) =>
    deliverPush(deps, data),
  )
  // What a process of this machine held before it crashed is free now, not after 15 s.
  await deps.leases.forgetDead()
  await startMediaWork(deps, queue)
  await startPaymentWork(deps, queue)
}
