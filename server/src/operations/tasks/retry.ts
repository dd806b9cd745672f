import { and, eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { notFound, Problem } from '#server/problems.ts'
import { lockJobRow } from './fail.ts'
import { enqueueTask } from '#server/operations/media-jobs/start-workflow.ts'
import type { TaskRow } from './claim.ts'

/**
 * Puts a failed task back to work, free and once: its refund stays. Refuses: 404, 409
 * `media-job-tasks/not-failed` (also when its upload could not be read: nothing would change),
 * `media-job-tasks/already-retried`.
 */
export async function retryTask(deps: Deps, user: CurrentUser, taskId: string): Promise<TaskRow> {
  return await deps.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ jobId: mediaJobs.id, workflowStartedAt: mediaJobs.workflowStartedAt })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .where(and(eq(mediaJobTasks.id, taskId), eq(mediaJobs.userId, user.id)))
    if (found === undefined) throw notFound('media-job-tasks/not-found')
    await lockJobRow(tx, found.jobId)
    const [task] = await tx.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    if (task?.status !== 'failed' || found.workflowStartedAt === null)
      throw new Problem('media-job-tasks/not-failed', 'Only a failed edit can be tried again.')
    if (task.retriedAt !== null)
      throw new Problem(
        'media-job-tasks/already-retried',
        'This edit failed again and cannot be made. Its tokens were returned to your wallet.',
      )
    const [reset] = await tx
      .update(mediaJobTasks)
      .set({
        status: 'created',
        tries: 0,
        progressRatio: 0,
        errorMessage: null,
        startedAt: null,
        endedAt: null,
        retriedAt: deps.clock(),
      })
      .where(eq(mediaJobTasks.id, taskId))
      .returning()
    await tx.update(mediaJobs).set({ workflowEndedAt: null }).where(eq(mediaJobs.id, found.jobId))
    await enqueueTask(tx, deps, taskId)
    return reset! // the row was read under its job's lock
  })
}
