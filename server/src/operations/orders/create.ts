/**
 * Orders: the price of a job's edits.
 *
 * [Note: lock order] Whatever changes an order locks rows in this order: media job, order, wallet.
 * Two transactions that follow it never wait for each other in a circle.
 */
import { and, desc, eq, ne } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobs, orderLineItems, orders, uploadRequests } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'
import { measureForPrices } from '#server/operations/uploads/measure.ts'
import { lengthOf, priceTasks } from './price.ts'
import { readOrderParts, viewOrders, type OrderRow, type OrderView } from './totals.ts'
import { refuseSoundlessJob } from '#server/operations/refuse-soundless.ts'
import { startWorkflowIfReady } from '#server/operations/media-jobs/start-workflow.ts'

type JobRow = typeof mediaJobs.$inferSelect

/**
 * The order of a job: made on the first call (`isNew`), the same one afterwards; while nothing is
 * paid it is priced anew when its edits changed. An order that costs nothing is paid at once. Needs
 * create:orders. Refuses: 404 for somebody else's job, 409 `orders/metadata-pending`,
 * `uploads/failed`, `uploads/aborted`, `orders/canceled`.
 */
export async function createOrder(
  deps: Deps,
  user: CurrentUser,
  mediaJobId: string,
): Promise<{ order: OrderView; isNew: boolean }> {
  requirePermission(user, 'create:orders')
  // Before the transaction: it may take a moment, and nobody else shall wait for it.
  await measureForPrices(deps, user.id, mediaJobId)
  return deps.db.transaction(async (tx) => {
    const job = await lockJob(tx, mediaJobId, user.id)
    if (job === undefined) throw jobNotFound()
    await refuseDeadUpload(tx, job)
    await refuseSoundlessJob(tx, job)
    const existing = await findLiveOrder(tx, job.id)
    const row = existing ?? (await insertOrder(tx, deps, job))
    const settled = row.status === 'open' ? await priceOrder(tx, deps, row) : row
    return { order: await viewOrder(tx, settled), isNew: existing === undefined }
  })
}

/**
 * Prices the open, unpaid order of a job anew after its edits changed; does nothing without one.
 * The caller holds the job's lock. Refuses like `createOrder`.
 */
export async function repriceOpenOrder(tx: Tx, deps: Deps, mediaJobId: string): Promise<void> {
  const order = await findLiveOrder(tx, mediaJobId)
  if (order?.status === 'open') await priceOrder(tx, deps, order)
}

/** One order; somebody else's is 404 `orders/not-found`. */
export async function getOrder(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  orderId: string,
): Promise<OrderView> {
  return viewOrder(deps.db, await findOrder(deps.db, user.id, orderId))
}

/** The orders of a job, newest first; somebody else's job is 404. */
export async function listMediaJobOrders(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  mediaJobId: string,
): Promise<OrderView[]> {
  const [job] = await deps.db
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, user.id)))
  if (job === undefined) throw jobNotFound()
  return viewOrders(
    deps.db,
    await deps.db
      .select()
      .from(orders)
      .where(eq(orders.mediaJobId, job.id))
      .orderBy(desc(orders.createdAt), desc(orders.id)),
  )
}

/** The job of an own order with its upload; somebody else's order is 404. */
export async function getOrderedJob(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  orderId: string,
): Promise<{ job: JobRow; upload: typeof uploadRequests.$inferSelect }> {
  const order = await findOrder(deps.db, user.id, orderId)
  const [row] = await deps.db
    .select({ job: mediaJobs, upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(eq(mediaJobs.id, order.mediaJobId))
  return row! // both are referenced by the order and cannot be deleted before it
}

/** An own order with its job, both locked in the right order; 404 `orders/not-found` else. */
export async function lockOrder(
  tx: Tx,
  userId: string,
  orderId: string,
): Promise<{ order: OrderRow; job: JobRow }> {
  const { mediaJobId } = await findOrder(tx, userId, orderId)
  const job = await lockJob(tx, mediaJobId, userId)
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
  if (order === undefined || job === undefined) throw notFound('orders/not-found')
  return { order, job }
}

/** The row of an own order; refuses with 404 `orders/not-found`. */
export async function findOrder(
  tx: Pick<Tx, 'select'>,
  userId: string,
  orderId: string,
): Promise<OrderRow> {
  const [row] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
  if (row === undefined) throw notFound('orders/not-found')
  return row
}

/**
 * Marks an order as paid and starts its work if the upload is ready, all in the payment's
 * transaction.
 */
export async function markPaid(tx: Tx, deps: Deps, order: OrderRow): Promise<OrderRow> {
  const paid = await setOrderStatus(tx, order.id, { status: 'paid', paidAt: deps.clock() })
  await startWorkflowIfReady(tx, deps, order.mediaJobId)
  return paid
}

/** Refuses to take an order or tokens for a file that cannot be edited. */
export async function refuseDeadUpload(tx: Tx, job: JobRow): Promise<void> {
  const [upload] = await tx
    .select({ state: uploadRequests.state, failureReason: uploadRequests.failureReason })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (upload?.state === 'aborted')
    throw new Problem(
      'uploads/aborted',
      'This upload was discarded or has expired. Please upload the video again.',
    )
  if (upload?.state === 'failed')
    throw new Problem(
      'uploads/failed',
      upload.failureReason ?? 'This file could not be read. Please upload another one.',
    )
}

async function insertOrder(tx: Tx, deps: Deps, job: JobRow): Promise<OrderRow> {
  const [row] = await tx
    .insert(orders)
    .values({
      id: deps.newId(),
      userId: job.userId,
      mediaJobId: job.id,
      status: 'open',
      createdAt: deps.clock(),
    })
    .returning()
  return row! // an insert without `on conflict` returns its row or throws
}

async function priceOrder(tx: Tx, deps: Deps, order: OrderRow): Promise<OrderRow> {
  const { items, booked } = await readOrderParts(tx, [order.id])
  if (booked.length > 0) return order
  const [job] = await tx
    .select({ probe: uploadRequests.probe, earlyDurationMs: uploadRequests.earlyDurationMs })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(eq(mediaJobs.id, order.mediaJobId))
  const priced = await priceTasks(
    tx,
    deps,
    order.id,
    order.mediaJobId,
    job === undefined ? null : lengthOf(job),
  )
  const isSame =
    items.length === priced.length &&
    items.every(
      (item, index) =>
        item.taskId === priced[index]?.taskId && item.coinAmount === priced[index]?.coinAmount,
    )
  if (!isSame) {
    await tx.delete(orderLineItems).where(eq(orderLineItems.orderId, order.id))
    await tx.insert(orderLineItems).values([...priced])
  }
  return priced.every((item) => item.coinAmount === 0) ? markPaid(tx, deps, order) : order
}

async function lockJob(tx: Tx, mediaJobId: string, userId: string): Promise<JobRow | undefined> {
  const [job] = await tx
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, userId)))
    .for('update')
  return job
}

async function findLiveOrder(tx: Tx, mediaJobId: string): Promise<OrderRow | undefined> {
  const [row] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.mediaJobId, mediaJobId), ne(orders.status, 'canceled')))
    .for('update')
  return row
}

/** Changes an order's state. The caller holds its lock. */
export async function setOrderStatus(
  tx: Tx,
  orderId: string,
  change: { status: OrderRow['status']; paidAt?: Date },
): Promise<OrderRow> {
  const [row] = await tx.update(orders).set(change).where(eq(orders.id, orderId)).returning()
  return row! // the caller holds its lock
}

/** One order as the contract shows it. */
export async function viewOrder(
  tx: Parameters<typeof viewOrders>[0],
  row: OrderRow,
): Promise<OrderView> {
  const [view] = await viewOrders(tx, [row])
  return view! // one row in, one view out
}

const jobNotFound = (): Problem => new Problem('media-jobs/not-found', 'Edit not found.')
