import { and, asc, eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, orders, uploadRequests } from '#server/db/schema.ts'
import { enqueueTask } from '#server/operations/tasks/enqueue.ts'

/**
 * Starts the work of a job, once, when its order is fully paid and its upload validated; otherwise
 * does nothing. The payment and the validation call it inside their transactions: both hold the
 * job's lock while they look at the other's state, so one of the two always sees both.
 */
export async function startWorkflowIfReady(
  ctx: TxCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const [job] = await ctx.db
    .select()
    .from(mediaJobs)
    .where(eq(mediaJobs.id, mediaJobId))
    .for('update')
  if (job === undefined || job.workflowStartedAt !== null) return
  const [order] = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.mediaJobId, job.id), eq(orders.status, 'paid')))
  const [upload] = await ctx.db
    .select({ state: uploadRequests.state })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (order === undefined || upload?.state !== 'validated') return
  await ctx.db
    .update(mediaJobs)
    .set({ workflowStartedAt: ctx.clock() })
    .where(eq(mediaJobs.id, job.id))
  const tasks = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, job.id), eq(mediaJobTasks.status, 'created')))
    .orderBy(asc(mediaJobTasks.position))
  for (const task of tasks) await enqueueTask(ctx, { taskId: task.id })
}
