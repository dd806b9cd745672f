import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { enqueueTask } from '#server/operations/tasks/enqueue.ts'
import { isLeased } from '#server/operations/tasks/lease.ts'
import { enqueueCheck } from '#server/operations/uploads/complete.ts'

/** A completed upload that is not checked after this long has lost its message. */
const CHECK_OVERDUE_MS = 60_000

/**
 * Queues again the work that the rows say is due and no process is doing: after a crash, a restored
 * database, or an ffmpeg that was installed later. Harmless to repeat: a message only names a row
 * to look at.
 */
export async function reconcile(ctx: Ctx): Promise<void> {
  const tasks = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        inArray(mediaJobTasks.status, ['created', 'started']),
        isNotNull(mediaJobs.workflowStartedAt),
      ),
    )
  for (const { id: taskId } of tasks)
    if (!(await isLeased(ctx, { taskId })))
      await inTransaction(ctx, async (ctx) => await enqueueTask(ctx, { taskId }))
  const overdue = new Date(ctx.clock().getTime() - CHECK_OVERDUE_MS)
  const uploads = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.state, 'completed'), lt(uploadRequests.uploadEndedAt, overdue)))
  for (const { id: uploadRequestId } of uploads)
    await inTransaction(ctx, async (ctx) => await enqueueCheck(ctx, { uploadRequestId }))
}
