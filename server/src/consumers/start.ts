import type { Deps } from '#server/deps.ts'
import { startMediaWork } from './media-work.ts'
import type { Queue } from '#server/jobs/port.ts'
import { deliverMail } from '#server/operations/mail/send.ts'

/** Takes on every kind of background work in this process; each kind has its line here. */
export async function startJobs(deps: Deps, queue: Queue): Promise<void> {
  await queue.work('send-mail', { concurrency: 2, retryLimit: 10, expireInS: 120 }, ({ data }) =>
    deliverMail(deps, data.mailId),
  )
  await startMediaWork(deps, queue)
}
