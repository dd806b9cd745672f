import { and, eq, inArray } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobs, mediaJobTasks } from '#server/db/schema.ts'
import { refundTask } from '#server/operations/orders/pay.ts'

/** Why tasks fail: a sentence for the creator, and raw facts for support. */
export interface Failure {
  readonly message: string
  readonly supportLog: string | null
}

const UNFINISHED = ['created', 'started'] as const

/**
 * Ends every unfinished task of a job as failed and gives its tokens back, in the caller's
 * transaction.
 */
export async function failJob(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId'>,
  mediaJobId: string,
  failure: Failure,
): Promise<void> {
  await lockJobRow(tx, mediaJobId)
  const tasks = await tx
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(
      and(eq(mediaJobTasks.mediaJobId, mediaJobId), inArray(mediaJobTasks.status, [...UNFINISHED])),
    )
  for (const task of tasks) await failTask(tx, deps, task.id, failure)
  await endWorkflowIfDone(tx, deps, mediaJobId)
}

/**
 * Ends one unfinished task as failed and gives its tokens back, once. The caller holds the job's
 * lock ([Note: lock order] in orders.ts). A free second run has nothing to give back.
 */
export async function failTask(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId'>,
  taskId: string,
  failure: Failure,
): Promise<void> {
  const [task] = await tx
    .update(mediaJobTasks)
    .set({
      status: 'failed',
      errorMessage: failure.message,
      supportLog: failure.supportLog?.replaceAll('\0', '').slice(-8192) ?? null,
      endedAt: deps.clock(),
    })
    .where(and(eq(mediaJobTasks.id, taskId), inArray(mediaJobTasks.status, [...UNFINISHED])))
    .returning()
  if (task !== undefined && task.retriedAt === null) await refundTask(tx, deps, task.id)
}

/** Notes when the last task of a job ended. */
export async function endWorkflowIfDone(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  mediaJobId: string,
): Promise<void> {
  const [open] = await tx
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(
      and(eq(mediaJobTasks.mediaJobId, mediaJobId), inArray(mediaJobTasks.status, [...UNFINISHED])),
    )
    .limit(1)
  if (open === undefined)
    await tx
      .update(mediaJobs)
      .set({ workflowEndedAt: deps.clock() })
      .where(eq(mediaJobs.id, mediaJobId))
}

/** Takes a job's lock, the first of [Note: lock order]. */
export async function lockJobRow(tx: Tx, mediaJobId: string): Promise<void> {
  await tx
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.id, mediaJobId))
    .for('update')
}
