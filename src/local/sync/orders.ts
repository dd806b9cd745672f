import { read, withSignal, type Pull } from './pull.ts'
import { statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer, replaceRows } from '#src/local/db/put.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { ok } from '#src/lib/result.ts'

/** One order. A 404 removes its row, and is still a failure to the caller. */
export const pullOrder: Pull<[orderId: string]> = async (deps, orderId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/orders/{orderId}', {
          params: { path: { orderId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) {
    if (statusOf(answer.error) === 404) await db.orders.delete(orderId)
    return answer
  }
  await db.transaction('rw', db.orders, () =>
    putUnlessNewer(db.orders, [orderToRow(answer.value.order, pulledAtEpochMs)]),
  )
  return ok(null)
}

/** All orders of one job. */
export const pullJobOrders: Pull<[mediaJobId: string]> = async (deps, mediaJobId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/media-jobs/{id}/orders', {
          params: { path: { id: mediaJobId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.orders.map((order) => orderToRow(order, pulledAtEpochMs))
  await db.transaction('rw', db.orders, async () => {
    const present = await db.orders.where('mediaJobId').equals(mediaJobId).toArray()
    await replaceRows(db.orders, rows, present, pulledAtEpochMs)
  })
  return ok(null)
}

/**
 * The jobs of an order. Their upload requests come along but are not stored: they carry signed
 * addresses.
 */
export const pullOrderMediaJobs: Pull<
  [orderId: string],
  { readonly mediaJobIds: readonly string[] }
> = async (deps, orderId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/orders/{orderId}/media-jobs', {
          params: { path: { orderId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.mediaJobs.map(({ uploadRequest: _signed, ...job }) =>
    mediaJobToRow(job, pulledAtEpochMs),
  )
  await db.transaction('rw', db.mediaJobs, () => putUnlessNewer(db.mediaJobs, rows))
  return ok({ mediaJobIds: rows.map((row) => row._id) })
}
