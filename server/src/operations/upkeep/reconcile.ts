import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { enqueueTask } from '#server/operations/media-jobs/start-workflow.ts'
import { isLeased } from '#server/operations/tasks/lease.ts'

/** A completed upload that is not checked after this long has lost its message. */
const CHECK_OVERDUE_MS = 60_000

/**
 * Sends a message again for work that the rows say is due and nobody is doing: after a crash, a
 * restored database, or an ffmpeg that was installed later. Harmless to repeat: a message only says
 * "look at this row".
 */
export async function reconcile(deps: Deps): Promise<void> {
  const tasks = await deps.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        inArray(mediaJobTasks.status, ['created', 'started']),
        isNotNull(mediaJobs.workflowStartedAt),
      ),
    )
  for (const task of tasks) {
    if (!(await isLeased(deps.db, task.id)))
      await deps.db.transaction(async (tx) => await enqueueTask(tx, deps, task.id))
  }
  const overdue = new Date(deps.clock().getTime() - CHECK_OVERDUE_MS)
  const uploads = await deps.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.state, 'completed'), lt(uploadRequests.uploadEndedAt, overdue)))
  for (const { id } of uploads)
    await deps.db.transaction(
      async (tx) =>
        await deps.queue.enqueue(
          tx,
          'validate-upload',
          { uploadRequestId: id },
          { singletonKey: id },
        ),
    )
}
