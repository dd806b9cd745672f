/**
 * The end of tasks: what fails gives its tokens back, and a job ends with the last of its tasks. It
 * stands beside the start of work (start-workflow.ts), which may fail a task at once.
 */
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { mediaJobs, mediaJobTasks, orderLineItems, orders } from '#server/db/schema.ts'
import { refund } from '#server/operations/core/ledger/book.ts'
import type { LedgerCtx } from '#server/operations/core/ledger/records.ts'
import { refundCause } from '#server/operations/core/ledger/task-refunds.ts'
import { lockJobRow, readJobIds } from '#server/operations/media/media-jobs/lock.ts'
import { hasBegunFromExcerpt } from '#server/operations/media/excerpts/begun.ts'

/** Why tasks fail: a sentence for the creator, and raw facts for support. */
export interface Failure {
  readonly message: string
  readonly supportLog: string | null
}

const UNFINISHED = ['created', 'started'] as const

/** A job whose unfinished tasks end. */
interface FailedJob {
  readonly mediaJobId: string
  readonly failure: Failure
  /** The video is at fault, or does not come: tasks of an excerpt of it go on. */
  readonly goOnFromExcerpt?: true
}

/**
 * Ends every unfinished task of a job as failed and gives its tokens back, in the caller's
 * transaction.
 */
export async function failJob(
  ctx: LedgerCtx,
  { mediaJobId, failure, goOnFromExcerpt }: FailedJob,
): Promise<void> {
  await lockJobRow(ctx, { mediaJobId })
  const tasks = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(
      and(
        eq(mediaJobTasks.mediaJobId, mediaJobId),
        inArray(mediaJobTasks.status, [...UNFINISHED]),
        goOnFromExcerpt ? isNull(mediaJobTasks.sourceUploadId) : undefined,
      ),
    )
  for (const task of tasks) await failTask(ctx, { taskId: task.id, failure })
  // Nothing of it waits for the video any more: its work is what its excerpt gives.
  if (goOnFromExcerpt && (await hasBegunFromExcerpt(ctx, mediaJobId)))
    await ctx.db
      .update(mediaJobs)
      .set({ workflowStartedAt: ctx.clock() })
      .where(and(eq(mediaJobs.id, mediaJobId), isNull(mediaJobs.workflowStartedAt)))
  await endWorkflowIfDone(ctx, { mediaJobId })
}

/** Ends the jobs of a video that does not come, as `failJob` does; edits of its excerpts go on. */
export async function failJobsOf(
  ctx: LedgerCtx,
  { uploadRequestId, message }: { readonly uploadRequestId: string; readonly message: string },
): Promise<void> {
  const failure = { message, supportLog: null }
  for (const mediaJobId of await readJobIds(ctx, { uploadRequestId }))
    await failJob(ctx, { mediaJobId, failure, goOnFromExcerpt: true })
}

/**
 * Ends one unfinished task as failed and gives its tokens back, once. The caller holds the job's
 * lock ([Note: lock order] in orders/find.ts). A free second run has nothing to give back.
 */
export async function failTask(
  ctx: LedgerCtx,
  { taskId, failure }: { readonly taskId: string; readonly failure: Failure },
): Promise<void> {
  const [task] = await ctx.db
    .update(mediaJobTasks)
    .set({
      status: 'failed',
      errorMessage: failure.message,
      supportLog: failure.supportLog === null ? null : storableLog(failure.supportLog),
      endedAt: ctx.clock(),
    })
    .where(and(eq(mediaJobTasks.id, taskId), inArray(mediaJobTasks.status, [...UNFINISHED])))
    .returning()
  if (task !== undefined && task.retriedAt === null) await refundTask(ctx, { taskId })
}

/** Records the time when the last task of a job ended. */
export async function endWorkflowIfDone(
  ctx: LedgerCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const [open] = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(
      and(eq(mediaJobTasks.mediaJobId, mediaJobId), inArray(mediaJobTasks.status, [...UNFINISHED])),
    )
    .limit(1)
  if (open === undefined)
    await ctx.db
      .update(mediaJobs)
      .set({ workflowEndedAt: ctx.clock() })
      .where(eq(mediaJobs.id, mediaJobId))
}

/**
 * Gives back what was paid for a task that failed or was cancelled, once. The ledger leaves out
 * what was not paid or has come back already. Returns the tokens given back: 0 for a task without
 * an order. Takes the order's lock.
 */
export async function refundTask(
  ctx: LedgerCtx,
  { taskId }: { readonly taskId: string },
): Promise<number> {
  const [found] = await ctx.db
    .select({ order: orders, item: orderLineItems })
    .from(orderLineItems)
    .innerJoin(orders, eq(orders.id, orderLineItems.orderId))
    .where(and(eq(orderLineItems.taskId, taskId), ne(orders.status, 'canceled')))
    .for('update', { of: orders })
  if (found === undefined) return 0
  const rows = await refund(ctx, {
    orderId: found.order.id,
    coinAmount: found.item.coinAmount,
    cause: refundCause({ taskId }),
    description: `Refund: ${found.item.description}`,
  })
  return rows.reduce((sum, row) => sum + row.coinAmount, 0)
}

/** The end of a log, at most 8,192 characters, without NUL, which PostgreSQL takes in no text. */
export function storableLog(text: string): string {
  return text.replaceAll('\0', '').slice(-8192)
}
