import { and, asc, eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobs, mediaJobTasks, orders, uploadRequests } from '#server/db/schema.ts'

/**
 * Starts the work of a job when its order is fully paid and its upload validated, once; does
 * nothing else. Called by the payment and by the validation inside their transactions: both hold
 * the job's lock while they look at the other's state, so one of the two always sees both.
 */
export async function startWorkflowIfReady(
  tx: Tx,
  deps: Pick<Deps, 'queue' | 'clock'>,
  mediaJobId: string,
): Promise<void> {
  const [job] = await tx.select().from(mediaJobs).where(eq(mediaJobs.id, mediaJobId)).for('update')
  if (job === undefined || job.workflowStartedAt !== null) return
  const [order] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.mediaJobId, job.id), eq(orders.status, 'paid')))
  const [upload] = await tx
    .select({ state: uploadRequests.state })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (order === undefined || upload?.state !== 'validated') return
  await tx
    .update(mediaJobs)
    .set({ workflowStartedAt: deps.clock() })
    .where(eq(mediaJobs.id, job.id))
  const tasks = await tx
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, job.id), eq(mediaJobTasks.status, 'created')))
    .orderBy(asc(mediaJobTasks.position))
  for (const task of tasks) await enqueueTask(tx, deps, task.id)
}

/** Says "look at this task" once, however often it is called before somebody looks. */
export async function enqueueTask(
  tx: Tx,
  deps: Pick<Deps, 'queue'>,
  taskId: string,
): Promise<void> {
  await deps.queue.enqueue(tx, 'render-task', { taskId }, { singletonKey: taskId })
}
