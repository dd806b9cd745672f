import { and, eq, ne } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobs, orders, uploadRequests } from '#server/db/schema.ts'
import { failJob, lockJobRow } from '#server/operations/tasks/fail.ts'
import { lengthOf, priceTasks } from './price.ts'
import { readOrderParts } from './totals.ts'
import { repriceOpenOrder, setOrderStatus } from './create.ts'

/** For creators whose tokens came back because the whole file is not what its first bytes said. */
const LENGTH_CHANGED =
  'The complete video has a different length than we first measured, so the price has changed. Your tokens were returned to your wallet. Please choose your edits again.'

/**
 * Holds an order that was priced before its upload was complete against the whole file. Nothing
 * paid yet: it is priced anew, and the creator sees that before paying. Something paid at another
 * price: the order is cancelled and gives all back, because nobody pays what was not shown. Belongs
 * into the transaction that stores the final measure.
 */
export async function confirmPrices(tx: Tx, deps: Deps, mediaJobId: string): Promise<void> {
  await lockJobRow(tx, mediaJobId)
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.mediaJobId, mediaJobId), ne(orders.status, 'canceled')))
    .for('update')
  if (order === undefined) return
  const { items, booked } = await readOrderParts(tx, [order.id])
  if (booked.length === 0) {
    await repriceOpenOrder(tx, deps, mediaJobId)
    return
  }
  const [upload] = await tx
    .select({ probe: uploadRequests.probe, earlyDurationMs: uploadRequests.earlyDurationMs })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(eq(mediaJobs.id, mediaJobId))
  // Prices of the catalogue may have changed since; what was frozen stays, only the length is
  // compared.
  const usageByTaskId = new Map(
    (
      await priceTasks(
        tx,
        deps,
        order.id,
        mediaJobId,
        upload === undefined ? null : lengthOf(upload),
      )
    ).map((item) => [item.taskId, usageOf(item.pricing)]),
  )
  if (
    items.every(
      (item) =>
        item.taskId === null ||
        usageOf(item.pricing) === null ||
        usageByTaskId.get(item.taskId) === usageOf(item.pricing),
    )
  )
    return
  deps.log.info('order-length-changed', { orderId: order.id })
  await failJob(tx, deps, mediaJobId, { message: LENGTH_CHANGED, supportLog: null })
  await setOrderStatus(tx, order.id, { status: 'canceled' })
}

function usageOf(pricing: unknown): number | null {
  return typeof pricing === 'object' &&
    pricing !== null &&
    'usage' in pricing &&
    typeof pricing.usage === 'number'
    ? pricing.usage
    : null
}
