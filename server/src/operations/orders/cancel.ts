import { and, eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobTasks } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { Problem } from '#server/problems.ts'
import { lockOrder, setOrderStatus, viewOrder } from './create.ts'
import { readOrderParts, type OrderView } from './totals.ts'
import { refundTask } from './pay.ts'

/**
 * Cancels an order before its work starts: what was paid goes back to its lots, the tasks are
 * cancelled. Repeating gives the cancelled order. Refuses with 409 `orders/work-started` once the
 * job's work has begun.
 */
export async function cancelOrder(
  deps: Deps,
  user: CurrentUser,
  orderId: string,
): Promise<OrderView> {
  return deps.db.transaction(async (tx) => {
    const { order, job } = await lockOrder(tx, user.id, orderId)
    if (order.status === 'canceled') return viewOrder(tx, order)
    if (job.workflowStartedAt !== null)
      throw new Problem(
        'orders/work-started',
        'Work on this order has started, so it can no longer be cancelled.',
      )
    const { items } = await readOrderParts(tx, [order.id])
    for (const item of items) if (item.taskId !== null) await refundTask(tx, deps, item.taskId)
    await tx
      .update(mediaJobTasks)
      .set({ status: 'canceled', endedAt: deps.clock() })
      .where(and(eq(mediaJobTasks.mediaJobId, job.id), eq(mediaJobTasks.status, 'created')))
    return viewOrder(tx, await setOrderStatus(tx, order.id, { status: 'canceled' }))
  })
}
