import { definePull, keepList, keepRows } from './pull.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { jobTables, putJobs } from '#src/local/db/media-jobs.ts'

/** One order. A 404 removes its row. */
export const pullOrder = definePull({
  ask: (api, init, orderId: string) =>
    api.GET('/v1/orders/{orderId}', { params: { path: { orderId } }, ...init }),
  keep: ({ db }, { order }, pulledAtEpochMs) =>
    keepRows(db, db.orders, [orderToRow(order, pulledAtEpochMs)]),
  forget: ({ db }, orderId) => db.orders.delete(orderId),
})

/** All orders of one job. */
export const pullJobOrders = definePull({
  ask: (api, init, mediaJobId: string) =>
    api.GET('/v1/media-jobs/{id}/orders', { params: { path: { id: mediaJobId } }, ...init }),
  keep: ({ db }, { orders }, pulledAtEpochMs, mediaJobId) => {
    const rows = orders.map((order) => orderToRow(order, pulledAtEpochMs))
    return keepList(db, db.orders, rows, pulledAtEpochMs, () =>
      db.orders.where('mediaJobId').equals(mediaJobId).toArray(),
    )
  },
})

/**
 * The jobs of an order. Their upload requests come along but are not stored: they carry signed
 * addresses.
 */
export const pullOrderMediaJobs = definePull({
  ask: (api, init, orderId: string) =>
    api.GET('/v1/orders/{orderId}/media-jobs', { params: { path: { orderId } }, ...init }),
  keep: ({ db }, { mediaJobs }, pulledAtEpochMs) => {
    const rows = mediaJobs.map(({ uploadRequest: _signed, ...job }) =>
      mediaJobToRow(job, pulledAtEpochMs),
    )
    return db.transaction('rw', jobTables(db), async () => {
      await putJobs(db, rows)
      return null
    })
  },
})
