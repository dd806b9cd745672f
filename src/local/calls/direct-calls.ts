import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import type { Ids } from '#src/lib/ids.ts'
import { ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { jobTables, putJobs } from '#src/local/db/media-jobs.ts'

/** What a call needs that a person makes and waits for. */
export interface CallDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly clock: Clock
  readonly ids: Ids
}

/** What a person changes of their profile; what is left out stays. */
export type ProfileChanges = components['schemas']['UpdateProfileBody']['userProfile']

/** Saves changes at the server, then here. Needs the network; repeating is harmless. */
export async function saveProfile(
  deps: CallDeps,
  userId: string,
  changes: ProfileChanges,
): Promise<Result<null, ApiFailure>> {
  const answer = await send(
    deps.api.PATCH('/v1/{userId}/profile', {
      params: { path: { userId } },
      body: { userProfile: changes },
    }),
  )
  if (!answer.ok) return answer
  await writeFact(deps.db, FACTS.profile, answer.value.userProfile, deps.clock.now())
  return ok(null)
}

/**
 * Starts a failed task again and stores the job as it is then. Needs the network; the server makes
 * a double press one start.
 */
export async function retryTask(
  deps: CallDeps,
  taskId: string,
  mediaJobId: string,
): Promise<Result<null, ApiFailure>> {
  const params = { path: { id: taskId }, header: { [IDEMPOTENCY_HEADER]: deps.ids.uuid() } }
  const answer = await send(deps.api.POST('/v1/media-job-tasks/{id}/retry', { params }))
  if (!answer.ok) return answer
  await storeJob(deps, mediaJobId)
  return ok(null)
}

/**
 * Cancels an order whose work has not begun: the server gives back what was paid. Stores the order
 * and its job as they are then. Needs the network; repeating gives the cancelled order again. 409
 * `orders/work-started` when it is too late.
 */
export async function cancelOrder(
  deps: CallDeps,
  orderId: string,
): Promise<Result<null, ApiFailure>> {
  const params = { path: { id: orderId }, header: { [IDEMPOTENCY_HEADER]: deps.ids.uuid() } }
  const answer = await send(deps.api.POST('/v1/orders/{id}/cancel', { params }))
  if (!answer.ok) return answer
  const { order } = answer.value
  await deps.db.transaction('rw', deps.db.orders, () =>
    putUnlessNewer(deps.db.orders, [orderToRow(order, deps.clock.now())]),
  )
  if (order.mediaJobId !== null) await storeJob(deps, order.mediaJobId)
  return ok(null)
}

/**
 * Ends the review of an edit's faces, so that the edit is made. Needs the network; repeating is
 * harmless. Stores the job as it is then.
 */
export async function finishFaceReview(
  deps: CallDeps,
  { taskId, mediaJobId, basedOn }: FinishedReview,
): Promise<Result<null, ApiFailure>> {
  const answer = await send(
    deps.api.POST('/v1/media-job-tasks/{id}/faces/finish', {
      params: { path: { id: taskId } },
      body: { faceReview: { basedOn } },
    }),
  )
  if (!answer.ok) return answer
  const row = await deps.db.faceReviews.get(taskId)
  if (row !== undefined)
    await deps.db.faceReviews.put({ ...row, value: { ...row.value, state: 'done' } })
  await storeJob(deps, mediaJobId)
  return ok(null)
}

/** A review that its owner ends, and the revision that the owner saw. */
export interface FinishedReview {
  readonly taskId: string
  readonly mediaJobId: string
  readonly basedOn: number
}

/** Stores a job as it is now; without an answer the next pull brings it. */
async function storeJob({ api, db, clock }: CallDeps, mediaJobId: string): Promise<void> {
  const job = await send(api.GET('/v1/media-jobs/{id}', { params: { path: { id: mediaJobId } } }))
  if (job.ok)
    await db.transaction('rw', jobTables(db), () =>
      putJobs(db, [mediaJobToRow(job.value.mediaJob, clock.now())]),
    )
}
