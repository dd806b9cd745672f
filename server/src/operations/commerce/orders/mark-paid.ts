import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { OrderRow } from '#server/db/rows.ts'
import { orders } from '#server/db/schema.ts'
import { startWorkflowIfReady } from '#server/operations/commerce/fulfilment/start-workflow.ts'
import { nextReceiptNumber } from '#server/operations/core/ledger/receipt-number.ts'
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

/** The same for an order that tokens have paid, which has a receipt. Takes its number last. */
export async function markPaidByTokens(
  ctx: TxCtx,
  input: { readonly order: OrderRow },
): Promise<OrderRow> {
  const { id, paidAt } = await markPaid(ctx, input)
  const at = paidAt ?? ctx.clock()
  const receiptNumber = await nextReceiptNumber(ctx, { series: 'order', at })
  return onlyRow(
    await ctx.db.update(orders).set({ receiptNumber }).where(eq(orders.id, id)).returning(),
  )
}
