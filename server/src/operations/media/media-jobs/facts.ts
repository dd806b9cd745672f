import { asc, desc, inArray } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import type { JobRow, OrderRow, OutputRow, TaskRow, UploadRow } from '#server/db/rows.ts'
import {
  attestations,
  mediaJobTasks,
  orders,
  taskOutputs,
  uploadRequests,
} from '#server/db/schema.ts'
import { refundedByTaskId } from '#server/operations/core/ledger/task-refunds.ts'
import { reviewUntil } from './progress.ts'
import { goesAt } from '#server/operations/media/storage/notice.ts'
import { estimateRemainingMs } from './estimate.ts'
import { redoneAmong, redoUntil } from './redo.ts'

/** A task with its outputs, in their order, and the tokens that came back for it. */
export interface TaskFacts {
  readonly task: TaskRow
  readonly outputs: readonly OutputRow[]
  readonly refundedCoinAmount: number
  /** When the server deletes its files by itself; null when it does not, and without files. */
  readonly filesGoAt: Date | null
  /** Until when it can be made again at half price; null when it cannot (redo.ts). */
  readonly redoUntil: Date | null
  /** When it is cancelled unless its owner ends the review; null when it is not. */
  readonly reviewUntil: Date | null
}

/** A job with everything that its screens show. */
export interface JobFacts {
  readonly job: JobRow
  readonly tasks: readonly TaskFacts[]
  readonly upload: UploadRow | undefined
  /** When its video was attested (orders/attest.ts); null before the first order of the video. */
  readonly attestedAt: Date | null
  /** The newest order that is not cancelled. */
  readonly order: Pick<OrderRow, 'id'> | undefined
  /** Null before the work starts and while nothing is measured. */
  readonly estimatedCompletedAt: Date | null
}

/** Reads jobs in the order given, with seven queries however many there are. */
export async function readJobs(
  ctx: ReadCtx,
  { jobs }: { readonly jobs: readonly JobRow[] },
): Promise<JobFacts[]> {
  if (jobs.length === 0) return []
  const jobIds = jobs.map((job) => job.id)
  const uploadIds = jobs.map((job) => job.uploadRequestId)
  // One after the other: inside a transaction they share a connection.
  const tasks = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(inArray(mediaJobTasks.mediaJobId, jobIds))
    .orderBy(asc(mediaJobTasks.position))
  const uploads = await ctx.db
    .select()
    .from(uploadRequests)
    .where(inArray(uploadRequests.id, uploadIds))
  const attested = await ctx.db
    .select()
    .from(attestations)
    .where(inArray(attestations.uploadRequestId, uploadIds))
  const placed = await ctx.db
    .select({ id: orders.id, mediaJobId: orders.mediaJobId, status: orders.status })
    .from(orders)
    .where(inArray(orders.mediaJobId, jobIds))
    .orderBy(desc(orders.createdAt))
  const taskFacts = await readTasks(ctx, { tasks })
  return jobs.map((job) => {
    const own = taskFacts.filter(({ task }) => task.mediaJobId === job.id)
    return {
      job,
      tasks: own,
      upload: uploads.find((upload) => upload.id === job.uploadRequestId),
      attestedAt:
        attested.find((one) => one.uploadRequestId === job.uploadRequestId)?.attestedAt ?? null,
      order: placed.find((one) => one.mediaJobId === job.id && one.status !== 'canceled'),
      estimatedCompletedAt: estimateEnd(ctx, job, own),
    }
  })
}

/** Reads tasks with their outputs, in the order given. */
export async function readTasks(
  ctx: Pick<ReadCtx, 'db' | 'clock' | 'settings'>,
  { tasks }: { readonly tasks: readonly TaskRow[] },
): Promise<TaskFacts[]> {
  if (tasks.length === 0) return []
  const taskIds = tasks.map((task) => task.id)
  const outputs = await ctx.db
    .select()
    .from(taskOutputs)
    .where(inArray(taskOutputs.taskId, taskIds))
    .orderBy(asc(taskOutputs.position))
  const refunded = await refundedByTaskId(ctx, { taskIds })
  const redone = await redoneAmong(ctx, { taskIds })
  return tasks.map((task) => {
    const own = outputs.filter((output) => output.taskId === task.id)
    const refundedCoinAmount = refunded.get(task.id) ?? 0
    return {
      task,
      outputs: own,
      refundedCoinAmount,
      redoUntil: redone.has(task.id) ? null : redoUntil(task, refundedCoinAmount),
      filesGoAt: own.some((output) => output.objectKey !== null) ? filesGoAt(ctx, task) : null,
      reviewUntil: reviewUntil(ctx, task),
    }
  })
}

function filesGoAt(ctx: Pick<ReadCtx, 'clock' | 'settings'>, task: TaskRow): Date | null {
  const keptDays = ctx.settings.keepResultsDays
  return keptDays === null || task.endedAt === null
    ? null
    : goesAt(ctx, { since: task.endedAt, toldAt: task.deletionToldAt, keptDays })
}

function estimateEnd(
  ctx: Pick<ReadCtx, 'clock' | 'settings'>,
  job: JobRow,
  tasks: readonly TaskFacts[],
): Date | null {
  if (job.workflowStartedAt === null) return null
  const now = ctx.clock()
  const rows = tasks.map(({ task }) => task)
  const remainingMs = estimateRemainingMs(rows, ctx.settings.renderConcurrency, now)
  return remainingMs === null ? null : new Date(now.getTime() + remainingMs)
}
