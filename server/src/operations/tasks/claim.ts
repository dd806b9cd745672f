import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import { endWorkflowIfDone, failTask, lockJobRow, type Failure } from './fail.ts'
import type { UploadRow } from '#server/operations/uploads/find.ts'

export type TaskRow = typeof mediaJobTasks.$inferSelect
export type OutputRow = typeof taskOutputs.$inferInsert

/**
 * A task that this worker may work on; results count only while `task.attempt` is still the row's.
 */
export interface ClaimedTask {
  readonly task: TaskRow
  readonly upload: UploadRow
}

/** Attempts that may fail or crash before a task fails for good. */
export const MAX_TRIES = 3

const mine = (task: TaskRow) =>
  and(
    eq(mediaJobTasks.id, task.id),
    eq(mediaJobTasks.attempt, task.attempt),
    eq(mediaJobTasks.status, 'started'),
  )

/**
 * Takes a task for a new attempt; null when it is finished, cancelled, not due, or has crashed too
 * often (then it fails here).
 */
export async function claimTask(deps: Deps, taskId: string): Promise<ClaimedTask | null> {
  return await deps.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ job: mediaJobs, upload: uploadRequests })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
      .where(eq(mediaJobTasks.id, taskId))
    if (found === undefined) return null
    await lockJobRow(tx, found.job.id)
    const [task] = await tx.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    if (
      task === undefined ||
      found.job.workflowStartedAt === null ||
      (task.status !== 'created' && task.status !== 'started')
    )
      return null
    if (task.tries >= MAX_TRIES) {
      await failTask(tx, deps, task.id, {
        message: 'This edit was interrupted several times. Please try again, or contact us.',
        supportLog: task.supportLog,
      })
      await endWorkflowIfDone(tx, deps, task.mediaJobId)
      return null
    }
    const [claimed] = await tx
      .update(mediaJobTasks)
      .set({
        status: 'started',
        attempt: task.attempt + 1,
        tries: task.tries + 1,
        progressRatio: 0,
        startedAt: deps.clock(),
      })
      .where(eq(mediaJobTasks.id, task.id))
      .returning()
    return claimed === undefined ? null : { task: claimed, upload: found.upload }
  })
}

/** Says how far an attempt is; false when the task is not this worker's any more. */
export async function noteProgress(
  deps: Pick<Deps, 'db'>,
  task: TaskRow,
  ratio: number,
): Promise<boolean> {
  const rows = await deps.db
    .update(mediaJobTasks)
    .set({ progressRatio: Math.min(0.99, ratio) })
    .where(mine(task))
    .returning({ id: mediaJobTasks.id })
  return rows.length > 0
}

/** Publishes the results of an attempt; false, and nothing, when a newer attempt has begun. */
export async function succeedTask(
  deps: Deps,
  task: TaskRow,
  outputs: readonly OutputRow[],
): Promise<boolean> {
  return await deps.db.transaction(async (tx) => {
    await lockJobRow(tx, task.mediaJobId)
    const done = await tx
      .update(mediaJobTasks)
      .set({ status: 'succeeded', progressRatio: 1, errorMessage: null, endedAt: deps.clock() })
      .where(mine(task))
      .returning({ id: mediaJobTasks.id })
    if (done.length === 0) return false
    await tx.insert(taskOutputs).values([...outputs])
    await endWorkflowIfDone(tx, deps, task.mediaJobId)
    return true
  })
}

/** Ends an attempt for good: failed, tokens back, in one transaction. */
export async function giveUpTask(deps: Deps, task: TaskRow, failure: Failure): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockJobRow(tx, task.mediaJobId)
    const [current] = await tx
      .select({ attempt: mediaJobTasks.attempt })
      .from(mediaJobTasks)
      .where(eq(mediaJobTasks.id, task.id))
    if (current?.attempt !== task.attempt) return
    await failTask(tx, deps, task.id, failure)
    await endWorkflowIfDone(tx, deps, task.mediaJobId)
  })
}

/** Hands a task back after a clean stop: that was not its fault, so the try does not count. */
export async function handBackTask(deps: Pick<Deps, 'db'>, task: TaskRow): Promise<void> {
  await deps.db
    .update(mediaJobTasks)
    .set({
      status: 'created',
      progressRatio: 0,
      tries: sql`greatest(0, ${mediaJobTasks.tries} - 1)`,
    })
    .where(mine(task))
}

/** Keeps raw facts of a failed attempt for support. */
export async function noteSupportLog(
  deps: Pick<Deps, 'db'>,
  task: TaskRow,
  detail: string,
): Promise<void> {
  await deps.db
    .update(mediaJobTasks)
    .set({ supportLog: detail.replaceAll('\0', '').slice(-8192) })
    .where(mine(task))
}
