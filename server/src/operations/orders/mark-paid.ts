import type { TxCtx } from '#server/context.ts'
import type { OrderRow } from '#server/db/rows.ts'
import { startWorkflowIfReady } from '#server/operations/media-jobs/start-workflow.ts'
import { setOrderStatus } from './find.ts'

/**
 * Marks an order as paid and, if its upload is ready, starts its work, all in the payment's
 * transaction. The caller holds the order's lock.
 */
export async function markPaid(
  ctx: TxCtx,
  { order }: { readonly order: OrderRow },
): Promise<OrderRow> {
  const paid = await setOrderStatus(ctx, {
    orderId: order.id,
    status: 'paid',
    paidAt: ctx.clock(),
  })
  await startWorkflowIfReady(ctx, { mediaJobId: order.mediaJobId })
  return paid
}
