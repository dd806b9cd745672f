import { and, eq, inArray } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import { orderLineItems, walletTransactions } from '#server/db/schema.ts'

/** The cause of a task's refund; one into several lots has a booking for each: `task:<id>#2`, … */
export function refundCause({ taskId }: { readonly taskId: string }): string {
  return `task:${taskId}`
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
    const taskId = row.cause.replace(/^task:/, '').replace(/#\d+$/, '')
    if (taskIds.includes(taskId)) sums.set(taskId, (sums.get(taskId) ?? 0) + row.coinAmount)
  }
  return sums
}
