import { and, eq, inArray, ne } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import { orderLineItems, orders, walletTransactions } from '#server/db/schema.ts'
import { refund } from '#server/operations/ledger/book.ts'
import type { LedgerCtx } from '#server/operations/ledger/records.ts'

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
    cause: `task:${taskId}`,
    description: `Refund: ${found.item.description}`,
  })
  return rows.reduce((sum, row) => sum + row.coinAmount, 0)
}

/** Tokens that came back for tasks, by task id; tasks without a refund are absent. */
export async function refundedByTaskId(
  ctx: Pick<ReadCtx, 'db'>,
  { taskIds }: { readonly taskIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (taskIds.length === 0) return new Map()
  const rows = await ctx.db
    .select({ cause: walletTransactions.cause, coinAmount: walletTransactions.coinAmount })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.kind, 'order-refund'),
        inArray(
          walletTransactions.orderId,
          ctx.db
            .select({ id: orderLineItems.orderId })
            .from(orderLineItems)
            .where(inArray(orderLineItems.taskId, [...taskIds])),
        ),
      ),
    )
  const sums = new Map<string, number>()
  for (const row of rows) {
    // A refund into several lots has one booking for each: task:<id>, task:<id>#2, …
    const taskId = row.cause.replace(/^task:/, '').replace(/#\d+$/, '')
    if (taskIds.includes(taskId)) sums.set(taskId, (sums.get(taskId) ?? 0) + row.coinAmount)
  }
  return sums
}
