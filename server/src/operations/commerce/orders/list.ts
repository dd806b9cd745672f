import { and, desc, eq } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import { mediaJobs, orders } from '#server/db/schema.ts'
import { readJobs, type JobFacts } from '#server/operations/media/media-jobs/facts.ts'
import { readUploads, type UploadFacts } from '#server/operations/media/uploads/facts.ts'
import { refuseHeld, refuseHeldJob } from '#server/operations/media/uploads/refuse-held.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { readOrder, readOrders, type OrderFacts } from './facts.ts'
import { editNotFound, findOrder, readJobUpload } from './find.ts'

/** One of the user's orders, or `orders/not-found`, or `uploads/held`. */
export async function getOrder(
  ctx: UserCtx,
  { orderId }: { readonly orderId: string },
): Promise<OrderFacts> {
  const row = await findOrder(ctx, { orderId })
  await refuseHeldJob(ctx, row)
  return await readOrder(ctx, { row })
}

/**
 * The orders of one of the user's jobs, newest first; or `media-jobs/not-found`, or `uploads/held`.
 */
export async function listMediaJobOrders(
  ctx: UserCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<OrderFacts[]> {
  const [job] = await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, ctx.user.id)))
  if (job === undefined) throw editNotFound()
  await refuseHeldJob(ctx, { mediaJobId })
  const rows = await ctx.db
    .select()
    .from(orders)
    .where(eq(orders.mediaJobId, mediaJobId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
  return await readOrders(ctx, { rows })
}

/** The job that an order pays for, with its upload; or `orders/not-found`, or `uploads/held`. */
export async function getOrderedJob(
  ctx: UserCtx,
  { orderId }: { readonly orderId: string },
): Promise<{ job: JobFacts; upload: UploadFacts }> {
  const { mediaJobId } = await findOrder(ctx, { orderId })
  const jobs = await ctx.db.select().from(mediaJobs).where(eq(mediaJobs.id, mediaJobId))
  const upload = await readJobUpload(ctx, { mediaJobId })
  refuseHeld(upload)
  return {
    job: onlyRow(await readJobs(ctx, { jobs })),
    upload: onlyRow(await readUploads(ctx, { uploads: [upload] })),
  }
}
