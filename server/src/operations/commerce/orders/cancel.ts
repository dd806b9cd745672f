import { and, eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { mediaJobTasks } from '#server/db/schema.ts'
import { refuseHeldJob } from '#server/operations/media/uploads/refuse-held.ts'
import { Problem } from '#server/problems.ts'
import { readOrder, type OrderFacts } from './facts.ts'
import { lockOrder, setOrderStatus } from './find.ts'
import { refundTask } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { hasBegunFromExcerpt } from '#server/operations/media/excerpts/begun.ts'

/**
 * Cancels an order before its work starts: what was paid goes back to its lots, and the tasks are
 * cancelled. Repeating returns the cancelled order. Refuses: `orders/not-found`,
 * `orders/work-started`, `uploads/held`.
 */
export async function cancelOrder(
  ctx: UserCtx,
  { orderId }: { readonly orderId: string },
): Promise<OrderFacts> {
  return await inTransaction(ctx, async (ctx) => {
    const { order, job } = await lockOrder(ctx, { orderId })
    await refuseHeldJob(ctx, { mediaJobId: job.id })
    const facts = await readOrder(ctx, { row: order })
    if (order.status === 'canceled') return facts
    if (job.workflowStartedAt !== null || (await hasBegunFromExcerpt(ctx, job.id)))
      throw new Problem(
        'orders/work-started',
        'Work on this order has started, so it can no longer be cancelled.',
      )
    for (const { taskId } of facts.items) if (taskId !== null) await refundTask(ctx, { taskId })
    await ctx.db
      .update(mediaJobTasks)
      .set({ status: 'canceled', endedAt: ctx.clock() })
      .where(and(eq(mediaJobTasks.mediaJobId, job.id), eq(mediaJobTasks.status, 'created')))
    const row = await setOrderStatus(ctx, { orderId, status: 'canceled' })
    return await readOrder(ctx, { row })
  })
}
