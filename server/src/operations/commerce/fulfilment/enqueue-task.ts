import type { TxCtx } from '#server/context.ts'

/** Queues the render of a task; does nothing while a message for this task waits. */
export async function enqueueTask(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { taskId }: { readonly taskId: string },
): Promise<void> {
  await ctx.queue.enqueue(ctx.db, 'render-task', { taskId }, { singletonKey: taskId })
}

/** The same for many tasks, in one statement. */
export async function enqueueTasks(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { taskIds }: { readonly taskIds: readonly string[] },
): Promise<void> {
  const messages = taskIds.map((taskId) => ({ data: { taskId }, singletonKey: taskId }))
  await ctx.queue.enqueueAll(ctx.db, 'render-task', messages)
}
