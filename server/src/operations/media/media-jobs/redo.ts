import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { REDO_DAYS } from '#recipes/pricing.ts'
import type { ReadCtx, TxCtx, WithUser } from '#server/context.ts'
import type { JobRow, TaskRow, UploadRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, orders } from '#server/db/schema.ts'
import { refundedByTaskId } from '#server/operations/core/ledger/task-refunds.ts'
import { notFound, Problem } from '#server/problems.ts'

/** A redo of one delivered edit: docs/product-decisions.md#making-an-edit-again. */
export interface Redo {
  /** The delivered edit. */
  readonly taskId: string
  /** The name of its video. */
  readonly name: string
  /** The job of the redo that there is already, locked; undefined without. */
  readonly openJob: JobRow | undefined
}

const DAY_MS = 86_400_000

/**
 * Until when an edit that was delivered can be made again at half price; null for one that was
 * not, that was given back, and that is a redo itself. Knows nothing of other redos of it.
 */
export function redoUntil(
  task: Pick<TaskRow, 'status' | 'endedAt' | 'redoOfTaskId'>,
  refundedCoinAmount: number,
): Date | null {
  const isDelivered = task.status === 'succeeded' && refundedCoinAmount === 0
  return isDelivered && task.endedAt !== null && task.redoOfTaskId === null
    ? new Date(task.endedAt.getTime() + REDO_DAYS * DAY_MS)
    : null
}

/**
 * Checks that these edits make one delivered edit of this upload again, which the caller has
 * locked. Refuses: `media-job-tasks/not-found` also for an edit of another video,
 * `request/invalid` for other formats, `media-job-tasks/not-delivered`,
 * `media-job-tasks/redo-used` for a redo, `media-job-tasks/redo-late`.
 */
export async function readRedo(
  ctx: TxCtx & WithUser,
  {
    upload,
    taskId,
    edits,
  }: {
    readonly upload: Pick<UploadRow, 'id'>
    readonly taskId: string
    readonly edits: readonly { readonly presetSlug: string }[]
  },
): Promise<Redo> {
  const [found] = await ctx.db
    .select({ task: mediaJobTasks, name: mediaJobs.name })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        eq(mediaJobTasks.id, taskId),
        eq(mediaJobs.userId, ctx.user.id),
        eq(mediaJobs.uploadRequestId, upload.id),
      ),
    )
  if (found === undefined) throw notFound('media-job-tasks/not-found')
  refuseOtherFormats(found.task, edits)
  if (found.task.redoOfTaskId !== null)
    throw new Problem(
      'media-job-tasks/redo-used',
      'This edit was itself made again at half price. Order it at the full price with "More edits of this video".',
    )
  const refunded = await refundedByTaskId(ctx, { taskIds: [taskId] })
  const until = redoUntil(found.task, refunded.get(taskId) ?? 0)
  if (until === null)
    throw new Problem(
      'media-job-tasks/not-delivered',
      'Only an edit that was delivered, and whose tokens were not returned, can be made again at half price.',
    )
  refuseLate(until, ctx.clock())
  return { taskId, name: found.name, openJob: await lockRedoJob(ctx, { taskId }) }
}

/**
 * Refuses the first order of a redo that was asked for in time and is ordered too late, with
 * `media-job-tasks/redo-late`. Does nothing for other jobs.
 */
export async function refuseLateRedo(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { job }: { readonly job: Pick<JobRow, 'id'> },
): Promise<void> {
  const delivered = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(
      inArray(
        mediaJobTasks.id,
        ctx.db
          .select({ id: mediaJobTasks.redoOfTaskId })
          .from(mediaJobTasks)
          .where(eq(mediaJobTasks.mediaJobId, job.id)),
      ),
    )
  for (const task of delivered) {
    const until = redoUntil(task, 0)
    if (until !== null) refuseLate(until, ctx.clock())
  }
}

/** Which of these tasks have a redo that is paid and did not fail. */
export async function redoneAmong(
  ctx: Pick<ReadCtx, 'db'>,
  { taskIds }: { readonly taskIds: readonly string[] },
): Promise<ReadonlySet<string | null>> {
  const rows = await ctx.db
    .select({ id: mediaJobTasks.redoOfTaskId })
    .from(mediaJobTasks)
    .innerJoin(orders, eq(orders.mediaJobId, mediaJobTasks.mediaJobId))
    .where(
      and(
        inArray(mediaJobTasks.redoOfTaskId, [...taskIds]),
        notInArray(mediaJobTasks.status, ['failed', 'canceled']),
        eq(orders.status, 'paid'),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

/** The job of the one redo of a task that has not failed and was not cancelled, locked. */
export async function lockRedoJob(
  ctx: Pick<TxCtx, 'db'>,
  { taskId }: { readonly taskId: string },
): Promise<JobRow | undefined> {
  const [found] = await ctx.db
    .select({ job: mediaJobs })
    .from(mediaJobs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.mediaJobId, mediaJobs.id))
    .where(
      and(
        eq(mediaJobTasks.redoOfTaskId, taskId),
        notInArray(mediaJobTasks.status, ['failed', 'canceled']),
      ),
    )
    .for('update', { of: mediaJobs })
  return found?.job
}

/** The refusal of a second redo of one edit. */
export function redoUsed(): Problem {
  return new Problem(
    'media-job-tasks/redo-used',
    'This edit was made again already, which is possible once at half price. You find that order among your edits.',
  )
}

function refuseOtherFormats(
  { presetSlug }: TaskRow,
  edits: readonly { readonly presetSlug: string }[],
): void {
  if (edits.length === 1 && edits[0]?.presetSlug === presetSlug) return
  const message = 'An edit is made again alone, and in the same format.'
  throw new Problem('request/invalid', message, {
    fields: { 'mediaJob.mediaJobTaskRequests': message },
  })
}

function refuseLate(until: Date, now: Date): void {
  if (now >= until)
    throw new Problem(
      'media-job-tasks/redo-late',
      `This edit was delivered ${REDO_DAYS} days ago or more. Order it at the full price with "More edits of this video".`,
    )
}
