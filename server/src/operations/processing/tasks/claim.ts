import { and, eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { NewOutput, TaskRow, UploadRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { hasChosenSound } from '#server/operations/media/excerpts/sound.ts'
import { enqueueTask } from '#server/operations/commerce/fulfilment/enqueue-task.ts'
import { beginsAt, SEARCH_SHARE } from '#server/operations/media/media-jobs/progress.ts'
import {
  endWorkflowIfDone,
  failTask,
  storableLog,
  type Failure,
} from '#server/operations/commerce/fulfilment/task-ended.ts'
import { lockJobRow } from '#server/operations/media/media-jobs/lock.ts'

/**
 * A task that this worker may work on. Its results count only while `task.attempt` is still the
 * row's.
 */
export interface ClaimedTask {
  readonly task: TaskRow
  readonly upload: UploadRow
}

/** Attempts that may fail before a task fails for good. */
const MAX_TRIES = 3
/**
 * Attempts that may be cut off by the end of their server, of its connection to the database, or of
 * the store. That is no fault of the edit, so that there are many; one that takes every server down
 * with it must end too.
 */
const MAX_INTERRUPTIONS = 100

/** The task's row while this attempt is the newest and still works. */
export const ownAttempt = (task: TaskRow) =>
  and(
    eq(mediaJobTasks.id, task.id),
    eq(mediaJobTasks.attempt, task.attempt),
    eq(mediaJobTasks.status, 'started'),
  )

/**
 * Takes a task for a new attempt. Null when it is finished, cancelled, held, not due, waits for its
 * owner, or was cut off too often; in the last case it fails here.
 */
export async function claimTask(
  ctx: Ctx,
  { taskId }: { readonly taskId: string },
): Promise<ClaimedTask | null> {
  return await inTransaction(ctx, async (ctx) => {
    const [found] = await ctx.db
      .select({ job: mediaJobs, upload: uploadRequests })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
      .where(eq(mediaJobTasks.id, taskId))
    if (found === undefined || found.upload.heldAt !== null) return null
    const mediaJobId = found.job.id
    await lockJobRow(ctx, { mediaJobId })
    const [task] = await ctx.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    const isDue = task?.status === 'created' || task?.status === 'started'
    if (task === undefined || !isDue) return null
    const upload = await sourceOf(ctx, { task, whole: found.upload })
    if (upload === found.upload && found.job.workflowStartedAt === null) return null
    if (task.reviewState === 'waiting') return null
    if (task.attempt - task.tries >= MAX_INTERRUPTIONS) {
      await failTask(ctx, {
        taskId,
        failure: {
          message: 'This edit was interrupted several times. Please try again, or contact us.',
          supportLog: task.supportLog,
        },
      })
      await endWorkflowIfDone(ctx, { mediaJobId })
      return null
    }
    const claimed = onlyRow(
      await ctx.db
        .update(mediaJobTasks)
        .set({
          status: 'started',
          attempt: task.attempt + 1,
          progressRatio: beginsAt(task),
          startedAt: ctx.clock(),
        })
        .where(eq(mediaJobTasks.id, taskId))
        .returning(),
    )
    return { task: claimed, upload }
  })
}

/**
 * What a task is made from: its video, or for a task of an excerpt the video with the file of that.
 * Where the excerpt is gone, or has another sound than was chosen since, the task waits for the
 * video from now on.
 */
async function sourceOf(
  ctx: Pick<TxCtx, 'db'>,
  { task, whole }: { readonly task: TaskRow; readonly whole: UploadRow },
): Promise<UploadRow> {
  if (task.sourceUploadId === null) return whole
  const [excerpt] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, task.sourceUploadId))
  const source = readStoredProbe(excerpt?.probe)
  if (excerpt?.state === 'validated' && source !== null && hasChosenSound(source, whole))
    return { ...whole, probe: excerpt.probe, objectKey: excerpt.objectKey }
  await ctx.db
    .update(mediaJobTasks)
    .set({ sourceUploadId: null, status: 'created', progressRatio: 0, startedAt: null })
    .where(eq(mediaJobTasks.id, task.id))
  return whole
}

/** Stores the progress of an attempt, 0 to 1; false when a newer attempt has the task. */
export async function saveProgress(
  ctx: Ctx,
  { task, ratio }: { readonly task: TaskRow; readonly ratio: number },
): Promise<boolean> {
  const rows = await ctx.db
    .update(mediaJobTasks)
    .set({ progressRatio: Math.min(0.99, ratio) })
    .where(ownAttempt(task))
    .returning({ id: mediaJobTasks.id })
  return rows.length > 0
}

/** Publishes the results of an attempt; false, and nothing, when a newer attempt has begun. */
export async function succeedTask(
  ctx: Ctx,
  { task, outputs }: { readonly task: TaskRow; readonly outputs: readonly NewOutput[] },
): Promise<boolean> {
  const { mediaJobId } = task
  return await inTransaction(ctx, async (ctx) => {
    await lockJobRow(ctx, { mediaJobId })
    const done = await ctx.db
      .update(mediaJobTasks)
      .set({ status: 'succeeded', progressRatio: 1, errorMessage: null, endedAt: ctx.clock() })
      .where(ownAttempt(task))
      .returning({ id: mediaJobTasks.id })
    if (done.length === 0) return false
    await ctx.db.insert(taskOutputs).values([...outputs])
    await endWorkflowIfDone(ctx, { mediaJobId })
    return true
  })
}

/**
 * Lets a task of an excerpt wait for its video after an attempt that failed: what is wrong may be
 * the excerpt's fault. It is put to work again where the video has arrived. False for all others,
 * and when a newer attempt has begun.
 */
export async function fallBackToVideo(
  ctx: Ctx,
  { task }: { readonly task: TaskRow },
): Promise<boolean> {
  if (task.sourceUploadId === null) return false
  return await inTransaction(ctx, async (ctx) => {
    await lockJobRow(ctx, { mediaJobId: task.mediaJobId })
    const back = await ctx.db
      .update(mediaJobTasks)
      .set({ sourceUploadId: null, status: 'created', progressRatio: 0, tries: 0, startedAt: null })
      .where(ownAttempt(task))
      .returning({ id: mediaJobTasks.id })
    if (back.length === 0) return false
    const [job] = await ctx.db
      .select({ workflowStartedAt: mediaJobs.workflowStartedAt })
      .from(mediaJobs)
      .where(eq(mediaJobs.id, task.mediaJobId))
    if (job?.workflowStartedAt != null) await enqueueTask(ctx, { taskId: task.id })
    return true
  })
}

/**
 * Ends an attempt for good: the task fails and its tokens come back, in one transaction. Does
 * nothing when a newer attempt has begun.
 */
export async function giveUpTask(
  ctx: Ctx,
  { task, failure }: { readonly task: TaskRow; readonly failure: Failure },
): Promise<void> {
  const { id: taskId, mediaJobId } = task
  await inTransaction(ctx, async (ctx) => {
    await lockJobRow(ctx, { mediaJobId })
    const [current] = await ctx.db
      .select({ attempt: mediaJobTasks.attempt })
      .from(mediaJobTasks)
      .where(eq(mediaJobTasks.id, taskId))
    if (current?.attempt !== task.attempt) return
    await failTask(ctx, { taskId, failure })
    await endWorkflowIfDone(ctx, { mediaJobId })
  })
}

/** Hands a task back that its server stopped, or can work on no longer. */
export async function handBackTask(ctx: Ctx, { task }: { readonly task: TaskRow }): Promise<void> {
  await ctx.db
    .update(mediaJobTasks)
    .set({
      status: 'created',
      progressRatio: beginsAt(task),
    })
    .where(ownAttempt(task))
}

/**
 * Ends the search of an attempt: the edit waits until its owner ends the review. False when a newer
 * attempt has begun.
 */
export async function askForReview(
  ctx: Ctx,
  { task }: { readonly task: TaskRow },
): Promise<boolean> {
  const asked = await ctx.db
    .update(mediaJobTasks)
    .set({
      status: 'created',
      reviewState: 'waiting',
      reviewAskedAt: ctx.clock(),
      progressRatio: SEARCH_SHARE,
      tries: 0,
      startedAt: null,
    })
    .where(ownAttempt(task))
    .returning({ id: mediaJobTasks.id })
  return asked.length > 0
}

/**
 * Counts a failed attempt and keeps its raw facts for support; false when it was the last one that
 * may fail, which is not counted. Counts an attempt once, however often it is told.
 */
export async function countFailure(
  ctx: Ctx,
  { task, detail }: { readonly task: TaskRow; readonly detail: string },
): Promise<boolean> {
  const tries = task.tries + 1
  if (tries >= MAX_TRIES) return false
  await ctx.db
    .update(mediaJobTasks)
    .set({ tries, supportLog: storableLog(detail) })
    .where(ownAttempt(task))
  return true
}
