import { eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { ORDERS_PER_HOUR } from '#server/budgets.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { JobRow, OrderRow } from '#server/db/rows.ts'
import { orderLineItems, orders } from '#server/db/schema.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { refuseLateRedo } from '#server/operations/media/media-jobs/redo.ts'
import { refuseSoundlessJob } from '#server/operations/media/media-jobs/refuse-soundless.ts'
import { refuseUnfitJob } from '#server/operations/media/media-jobs/refuse-unfit.ts'
import { measureForPrices } from '#server/operations/media/uploads/measure.ts'
import { refuseDead } from '#server/operations/media/uploads/refuse-dead.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { attestOnce } from './attest.ts'
import { readOrder, type OrderFacts } from './facts.ts'
import { lockJobToOrder, lockLiveOrder, readJobUpload } from './find.ts'
import { markPaid } from './mark-paid.ts'
import { priceTasks } from './price.ts'
import { lengthOf } from '#server/operations/media/uploads/length.ts'

/**
 * The order of a job: made on the first call (`isNew`), the same one afterwards. While nothing is
 * paid, it is priced again when its edits have changed. An order that costs nothing is paid at
 * once. The first order of a video needs an attestation. Needs create:orders. Refuses:
 * `media-jobs/not-found`, `orders/attestation-missing`, `orders/metadata-pending`,
 * `orders/canceled`, `uploads/failed`, `uploads/aborted`, `uploads/held`, `presets/needs-sound`,
 * `presets/unfit-options`,
 * `media-job-tasks/redo-late`, `request/too-many`.
 */
export async function createOrder(
  ctx: UserCtx,
  {
    mediaJobId,
    attestation,
  }: {
    readonly mediaJobId: string
    readonly attestation?: { readonly version: string } | undefined
  },
): Promise<OrderFacts & { readonly isNew: boolean }> {
  requirePermission(ctx.user, 'create:orders')
  // Before the transaction: it may take seconds, and nothing must wait for its locks.
  await measureForPrices(ctx, { mediaJobId })
  return await inTransaction(ctx, async (ctx) => {
    const job = await lockJobToOrder(ctx, { mediaJobId })
    const upload = await readJobUpload(ctx, { mediaJobId })
    refuseDead(upload)
    await refuseSoundlessJob(ctx, { job })
    const existing = await lockLiveOrder(ctx, { mediaJobId })
    // What is paid for is made.
    if (existing?.status !== 'paid')
      await refuseUnfitJob(ctx, { job, durationMs: lengthOf(upload) })
    if (existing === undefined) {
      await attestOnce(ctx, { job, version: attestation?.version ?? null })
      await refuseLateRedo(ctx, { job })
    }
    const row = existing ?? (await insertOrder(ctx, job))
    const settled = row.status === 'open' ? await priceOrder(ctx, row) : row
    return { ...(await readOrder(ctx, { row: settled })), isNew: existing === undefined }
  })
}

/**
 * Prices the open, unpaid order of a job again after its edits changed; does nothing without one.
 * The caller holds the job's lock. Refuses: `orders/metadata-pending`, `orders/canceled`.
 */
export async function repriceOpenOrder(
  ctx: TxCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const order = await lockLiveOrder(ctx, { mediaJobId })
  if (order?.status === 'open') await priceOrder(ctx, order)
}

async function insertOrder(ctx: TxCtx, job: JobRow): Promise<OrderRow> {
  await countOrRefuse(ctx, {
    key: `orders-placed:${job.userId}`,
    limit: ORDERS_PER_HOUR,
    what: 'orders were placed',
  })
  return onlyRow(
    await ctx.db
      .insert(orders)
      .values({
        id: ctx.newId(),
        userId: job.userId,
        mediaJobId: job.id,
        status: 'open',
        createdAt: ctx.clock(),
      })
      .returning(),
  )
}

async function priceOrder(ctx: TxCtx, order: OrderRow): Promise<OrderRow> {
  const { mediaJobId } = order
  const { items, booked } = await readOrder(ctx, { row: order })
  if (booked.length > 0) return order
  const priced = await priceTasks(ctx, {
    orderId: order.id,
    mediaJobId,
    durationMs: lengthOf(await readJobUpload(ctx, { mediaJobId })),
  })
  const isSame =
    items.length === priced.length &&
    items.every(
      (item, index) =>
        item.taskId === priced[index]?.taskId && item.coinAmount === priced[index]?.coinAmount,
    )
  if (!isSame) {
    await ctx.db.delete(orderLineItems).where(eq(orderLineItems.orderId, order.id))
    await ctx.db.insert(orderLineItems).values([...priced])
  }
  return priced.every((item) => item.coinAmount === 0) ? await markPaid(ctx, { order }) : order
}
