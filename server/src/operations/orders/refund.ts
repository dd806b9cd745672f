import { and, eq, ne } from 'drizzle-orm'
import { orderLineItems, orders } from '#server/db/schema.ts'
import { refund } from '#server/operations/ledger/book.ts'
import type { LedgerCtx } from '#server/operations/ledger/records.ts'
import { refundCause } from '#server/operations/ledger/task-refunds.ts'

/**
 * Gives back what was paid for a task that failed or was cancelled, once. The ledger leaves out
 * what was not paid or has come back already. Returns the tokens given back: 0 for a task without
 * an order. Takes the order's lock.
 */
export async function refundTask(
  ctx: LedgerCtx,
  { taskId }: { readonly taskId: string },
): Promise<number> {
  const [found] = await ctx.db
    .select({ order: orders, item: orderLineItems })
    .from(orderLineItems)
    .innerJoin(orders, eq(orders.id, orderLineItems.orderId))
    .where(and(eq(orderLineItems.taskId, taskId), ne(orders.status, 'canceled')))
    .for('update', { of: orders })
  if (found === undefined) return 0
  const rows = await refund(ctx, {
    orderId: found.order.id,
    coinAmount: found.item.coinAmount,
    cause: refundCause({ taskId }),
    description: `Refund: ${found.item.description}`,
  })
  return rows.reduce((sum, row) => sum + row.coinAmount, 0)
}
