import { and, eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { mediaJobs, mediaJobTasks } from '#server/db/schema.ts'
import { readTasks, type TaskFacts } from '#server/operations/media/media-jobs/facts.ts'
import { lockRedoJob, redoUsed } from '#server/operations/media/media-jobs/redo.ts'
import { refuseUnfit } from '#server/operations/media/media-jobs/refuse-unfit.ts'
import { lockUploadKey, readJobUpload } from '#server/operations/commerce/orders/find.ts'
import { lengthOf } from '#server/operations/media/uploads/length.ts'
import { refuseDead } from '#server/operations/media/uploads/refuse-dead.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound, Problem } from '#server/problems.ts'
import { enqueueTask } from '#server/operations/commerce/fulfilment/enqueue-task.ts'
import { lockJobRow } from '#server/operations/media/media-jobs/lock.ts'
import { beginsAt } from '#server/operations/media/media-jobs/progress.ts'

/**
 * Puts a failed task back to work, free and once: its refund stays. Refuses:
 * `media-job-tasks/not-found`, `media-job-tasks/not-failed` (also when its upload could not be
 * read: nothing would change), `media-job-tasks/already-retried`, and, with the try kept,
 * `uploads/aborted`, `uploads/failed`, `uploads/held`, `presets/unfit-options`, and
 * `media-job-tasks/redo-used` for a redo that has a successor.
 */
export async function retryTask(
  ctx: UserCtx,
  { taskId }: { readonly taskId: string },
): Promise<TaskFacts> {
  return await inTransaction(ctx, async (ctx) => {
    const [found] = await ctx.db
      .select({ jobId: mediaJobs.id, workflowStartedAt: mediaJobs.workflowStartedAt })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .where(and(eq(mediaJobTasks.id, taskId), eq(mediaJobs.userId, ctx.user.id)))
    if (found === undefined) throw notFound('media-job-tasks/not-found')
    await lockUploadKey(ctx, { mediaJobId: found.jobId })
    await lockJobRow(ctx, { mediaJobId: found.jobId })
    const upload = await readJobUpload(ctx, { mediaJobId: found.jobId })
    refuseHeld(upload)
    const [task] = await ctx.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    const hasBegun = found.workflowStartedAt !== null || task?.sourceUploadId != null
    if (task?.status !== 'failed' || !hasBegun)
      throw new Problem('media-job-tasks/not-failed', 'Only a failed edit can be tried again.')
    if (task.retriedAt !== null)
      throw new Problem(
        'media-job-tasks/already-retried',
        'This edit failed again and cannot be made. Its tokens were returned to your wallet.',
      )
    refuseDead(upload)
    refuseUnfit(task, lengthOf(upload))
    // Its tokens came back, so that its owner may have ordered another redo meanwhile.
    if (
      task.redoOfTaskId !== null &&
      (await lockRedoJob(ctx, { taskId: task.redoOfTaskId })) !== undefined
    )
      throw redoUsed()
    const tasks = await ctx.db
      .update(mediaJobTasks)
      .set({
        status: 'created',
        tries: 0,
        progressRatio: beginsAt(task),
        // It may have been stopped while it waited: its owner has all the time again.
        reviewAskedAt: task.reviewState === 'waiting' ? ctx.clock() : task.reviewAskedAt,
        errorMessage: null,
        startedAt: null,
        endedAt: null,
        retriedAt: ctx.clock(),
      })
      .where(eq(mediaJobTasks.id, taskId))
      .returning()
    await ctx.db
      .update(mediaJobs)
      .set({ workflowEndedAt: null })
      .where(eq(mediaJobs.id, found.jobId))
    await enqueueTask(ctx, { taskId })
    return onlyRow(await readTasks(ctx, { tasks }))
  })
}
