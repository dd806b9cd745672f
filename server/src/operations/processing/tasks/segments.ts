/**
 * The rows of edits that are made in segments: how they begin, who has one, and their end.
 *
 * [Note: divided edits] The worker that has a long edit divides it where another worker is free,
 * and makes segments of it itself until all are there; then it joins them. Each segment is a row
 * that any worker takes under a lease of its own, as it takes an edit. A worker that is lost loses
 * its segment, which waits again when its lease ends; where it had the edit, the next one goes on
 * with the segments that are made, as long as its plan is the same. Rows and files of segments go
 * when the edit has ended, in whichever way; one that cannot be made ends the division, and its
 * edit is made whole.
 */
import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Segment } from '#recipes/types.ts'
import { inTransaction, type Ctx, type ReadCtx } from '#server/context.ts'
import type { SegmentRow, TaskRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskSegments, uploadRequests } from '#server/db/schema.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { enqueueTasks } from '#server/operations/commerce/fulfilment/enqueue-task.ts'
import { livingLeases } from '#server/operations/core/lease.ts'
import { readLongSlots } from '#server/operations/core/workers.ts'
import { segmentsOf } from '#server/operations/media/storage/keys.ts'
import { ownAttempt, type ClaimedTask } from './claim.ts'

/** A segment that this worker may work on, while `segment.attempt` is still the row's. */
export interface ClaimedSegment extends ClaimedTask {
  readonly segment: SegmentRow
}

/** A segment that takes as many workers down with it can only be made whole, if at all. */
const MOST_ATTEMPTS = 5

/**
 * Whether another worker process with the same ffmpeg could begin with long work now. Where edits
 * wait, none can, and dividing one would only make it take the turns of others.
 */
export async function isHelpFree(ctx: ReadCtx, ffmpeg: Pick<Ffmpeg, 'version'>): Promise<boolean> {
  const processes = await readLongSlots(ctx, ffmpeg)
  if (processes.length < 2) return false
  const { rows } = await ctx.db.execute<{ working: number }>(sql`
    with ${livingLeases}
    select count(*)::int as working from living_leases
    where name like 'task:%' or name like 'segment:%'`)
  return (rows[0]?.working ?? 0) < processes.reduce((sum, slots) => sum + slots, 0)
}

/** The segments of a task in order; none where it is made whole. */
export async function readSegments(
  ctx: Pick<ReadCtx, 'db'>,
  { taskId }: { readonly taskId: string },
): Promise<readonly SegmentRow[]> {
  return await ctx.db
    .select()
    .from(taskSegments)
    .where(eq(taskSegments.taskId, taskId))
    .orderBy(asc(taskSegments.n))
}

/** Divides the task of an attempt; false, and nothing, when a newer one has begun. */
export async function beginSegments(
  ctx: Ctx,
  {
    task,
    segments,
    planDigest,
  }: {
    readonly task: TaskRow
    readonly segments: readonly Segment[]
    readonly planDigest: string
  },
): Promise<boolean> {
  return await inTransaction(ctx, async (ctx) => {
    const own = await ctx.db.select().from(mediaJobTasks).where(ownAttempt(task)).for('update')
    if (own.length === 0) return false
    const rows = segments.map((segment, n) => ({
      id: ctx.newId(),
      taskId: task.id,
      n,
      ...segment,
      planDigest,
      state: 'waiting' as const,
    }))
    await ctx.db.insert(taskSegments).values(rows)
    await enqueueTasks(ctx, { taskIds: rows.map(({ id }) => id) })
    return true
  })
}

/**
 * Takes a segment for a new attempt. Null when it is made or gone, when its edit is not at work, or
 * held and another worker's, and when too many workers were lost with it; then it fails here.
 */
export async function claimSegment(
  ctx: Ctx,
  { segmentId, hasSlot }: { readonly segmentId: string; readonly hasSlot: boolean },
): Promise<ClaimedSegment | null> {
  return await inTransaction(ctx, async (ctx) => {
    const [found] = await ctx.db
      .select({ segment: taskSegments, task: mediaJobTasks, upload: uploadRequests })
      .from(taskSegments)
      .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskSegments.taskId))
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
      .where(eq(taskSegments.id, segmentId))
      .for('update', { of: taskSegments })
    // Its own worker goes on, as with an edit in one piece: it would wait for the segment for days.
    if (found === undefined || (hasSlot && found.upload.heldAt !== null)) return null
    const { segment, task, upload } = found
    const isDue = segment.state === 'waiting' || segment.state === 'started'
    if (!isDue || task.status !== 'started') return null
    const isLost = segment.attempt >= MOST_ATTEMPTS
    const [claimed] = await ctx.db
      .update(taskSegments)
      .set(
        isLost
          ? { state: 'failed' }
          : { state: 'started', attempt: segment.attempt + 1, hasSlot, progressRatio: 0 },
      )
      .where(eq(taskSegments.id, segmentId))
      .returning()
    return isLost || claimed === undefined ? null : { segment: claimed, task, upload }
  })
}

/** Stores what became of an attempt at a segment; false when it is not its any more. */
export async function saveSegment(
  ctx: Pick<Ctx, 'db'>,
  { id, attempt }: SegmentRow,
  now: Partial<Pick<SegmentRow, 'state' | 'attempt' | 'progressRatio' | 'objectKey'>>,
): Promise<boolean> {
  const rows = await ctx.db
    .update(taskSegments)
    .set(now)
    .where(
      and(
        eq(taskSegments.id, id),
        eq(taskSegments.attempt, attempt),
        eq(taskSegments.state, 'started'),
      ),
    )
    .returning({ id: taskSegments.id })
  return rows.length > 0
}

/**
 * Removes the segments of a task with their files; harmless to repeat. What workers still make of
 * them is refused first, so that none leaves a file behind.
 */
export async function dropSegments(
  ctx: Ctx,
  { taskId }: { readonly taskId: string },
): Promise<void> {
  const dropped = await ctx.db
    .update(taskSegments)
    .set({ state: 'dropped', attempt: sql`${taskSegments.attempt} + 1` })
    .where(eq(taskSegments.taskId, taskId))
    .returning({ id: taskSegments.id })
  if (dropped.length === 0) return
  await ctx.store.removeAll(segmentsOf(taskId))
  await ctx.db.delete(taskSegments).where(
    inArray(
      taskSegments.id,
      dropped.map(({ id }) => id),
    ),
  )
}

/** Does that where edits have ended: for one, or for all. What fails is logged. */
export async function dropEndedSegments(
  ctx: Ctx,
  { taskId }: { readonly taskId?: string } = {},
): Promise<void> {
  const ended = await ctx.db
    .selectDistinct({ taskId: taskSegments.taskId })
    .from(taskSegments)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskSegments.taskId))
    .where(
      and(
        notInArray(mediaJobTasks.status, ['created', 'started']),
        taskId === undefined ? undefined : eq(taskSegments.taskId, taskId),
      ),
    )
  for (const { taskId } of ended)
    await dropSegments(ctx, { taskId }).catch((error: unknown) =>
      ctx.log.error('storage/not-deleted', error, { taskId }),
    )
}
