import type { TxCtx } from '#server/context.ts'
import { failJob } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { lockJobRow } from '#server/operations/media/media-jobs/lock.ts'
import { hasBegunFromExcerpt } from '#server/operations/media/excerpts/begun.ts'
import { repriceOpenOrder } from './create.ts'
import { readOrder } from './facts.ts'
import { lockLiveOrder, readJobUpload, setOrderStatus } from './find.ts'
import { priceTasks } from './price.ts'
import { lengthOf } from '#server/operations/media/uploads/length.ts'

/** For creators whose tokens came back because the whole file is not what its first bytes said. */
const LENGTH_CHANGED =
  'The complete video has a different length than we first measured, so the price has changed. Your tokens were returned to your wallet. Please choose your edits again.'

/**
 * Compares an order that was priced before its upload was complete with the whole file. If nothing
 * is paid yet, the order is priced again, and the creator sees the price before paying. If
 * something was paid at another price, the order is cancelled and gives everything back, because a
 * creator never pays a price that was not shown; what was begun from an excerpt is kept. Belongs in
 * the transaction that stores the final measure.
 */
export async function confirmPrices(
  ctx: TxCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  await lockJobRow(ctx, { mediaJobId })
  const order = await lockLiveOrder(ctx, { mediaJobId })
  if (order === undefined) return
  const { items, booked } = await readOrder(ctx, { row: order })
  if (booked.length === 0) {
    await repriceOpenOrder(ctx, { mediaJobId })
    return
  }
  const priced = await priceTasks(ctx, {
    orderId: order.id,
    mediaJobId,
    durationMs: lengthOf(await readJobUpload(ctx, { mediaJobId })),
  })
  // Prices of the catalogue may have changed since; what was frozen stays, only the length is
  // compared.
  const usageByTaskId = new Map(priced.map((item) => [item.taskId, usageOf(item.pricing)]))
  const isConfirmed = items.every(
    (item) =>
      item.taskId === null ||
      usageOf(item.pricing) === null ||
      usageByTaskId.get(item.taskId) === usageOf(item.pricing),
  )
  if (isConfirmed) return
  ctx.log.info('order-length-changed', { orderId: order.id })
  const failure = { message: LENGTH_CHANGED, supportLog: null }
  // What an excerpt gave has a price that follows no length: it is kept, and so is its order.
  if (await hasBegunFromExcerpt(ctx, mediaJobId))
    return await failJob(ctx, { mediaJobId, failure, goOnFromExcerpt: true })
  await failJob(ctx, { mediaJobId, failure })
  await setOrderStatus(ctx, { orderId: order.id, status: 'canceled' })
}

function usageOf(pricing: unknown): number | null {
  return typeof pricing === 'object' &&
    pricing !== null &&
    'usage' in pricing &&
    typeof pricing.usage === 'number'
    ? pricing.usage
    : null
}
