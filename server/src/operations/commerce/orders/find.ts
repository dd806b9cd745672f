import { and, eq, ne } from 'drizzle-orm'
import type { ReadCtx, TxCtx, WithUser } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { JobRow, OrderRow, UploadRow } from '#server/db/rows.ts'
import { mediaJobs, orders, uploadRequests } from '#server/db/schema.ts'
import { notFound, Problem } from '#server/problems.ts'

/**
 * [Note: lock order] Code that changes an order locks rows in this order: upload, media job, order,
 * wallet. A checkout session comes before all of them. Two transactions that follow it never wait
 * for each other in a circle.
 */

/** Whose order it is. */
interface WithOwner {
  readonly user: Pick<WithUser['user'], 'id'>
}

/** An order and its job, both locked in the right order; or `orders/not-found`. */
export async function lockOrder(
  ctx: TxCtx & WithOwner,
  { orderId }: { readonly orderId: string },
): Promise<{ order: OrderRow; job: JobRow }> {
  const { mediaJobId } = await findOrder(ctx, { orderId })
  const job = await lockOwnJob(ctx, mediaJobId)
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId)).for('update')
  if (order === undefined || job === undefined) throw notFound('orders/not-found')
  return { order, job }
}

/**
 * One of the user's jobs, locked; or `media-jobs/not-found` in the words of the order screens. Its
 * upload is locked against changes of its key first: the attestation of a first order names it, and
 * the end of the upload's check locks both as well.
 */
export async function lockJobToOrder(
  ctx: TxCtx & WithUser,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<JobRow> {
  await lockUploadKey(ctx, { mediaJobId })
  const job = await lockOwnJob(ctx, mediaJobId)
  if (job === undefined) throw editNotFound()
  return job
}

/** Locks the upload of a job against changes of its key and against new edits of it. */
export async function lockUploadKey(
  ctx: Pick<TxCtx, 'db'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .innerJoin(mediaJobs, eq(mediaJobs.uploadRequestId, uploadRequests.id))
    .where(eq(mediaJobs.id, mediaJobId))
    .for('key share', { of: uploadRequests })
}

/** One of the user's orders, or `orders/not-found`. */
export async function findOrder(
  ctx: Pick<ReadCtx, 'db'> & WithOwner,
  { orderId }: { readonly orderId: string },
): Promise<OrderRow> {
  const [row] = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, ctx.user.id)))
  if (row === undefined) throw notFound('orders/not-found')
  return row
}

/** The order of a job that is not cancelled, locked; undefined when there is none. */
export async function lockLiveOrder(
  ctx: Pick<TxCtx, 'db'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<OrderRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.mediaJobId, mediaJobId), ne(orders.status, 'canceled')))
    .for('update')
  return row
}

/** The upload that a job edits. */
export async function readJobUpload(
  ctx: Pick<ReadCtx, 'db'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<UploadRow> {
  const rows = await ctx.db
    .select({ upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(eq(mediaJobs.id, mediaJobId))
  return onlyRow(rows).upload
}

/** Changes an order's state. The caller holds its lock. */
export async function setOrderStatus(
  ctx: Pick<TxCtx, 'db'>,
  {
    orderId,
    ...change
  }: { readonly orderId: string; readonly status: OrderRow['status']; readonly paidAt?: Date },
): Promise<OrderRow> {
  return onlyRow(await ctx.db.update(orders).set(change).where(eq(orders.id, orderId)).returning())
}

/** The refusal of an order for a job that is not there. */
export function editNotFound(): Problem {
  return new Problem('media-jobs/not-found', 'Edit not found.')
}

async function lockOwnJob(ctx: TxCtx & WithOwner, mediaJobId: string): Promise<JobRow | undefined> {
  const [job] = await ctx.db
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, ctx.user.id)))
    .for('update')
  return job
}
