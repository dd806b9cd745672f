import { and, asc, eq, lt } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { mediaJobTasks } from '#server/db/schema.ts'
import { endWorkflowIfDone, refundTask } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { lockJobRow } from '#server/operations/media/media-jobs/lock.ts'

/** In one minute; the rest comes next. */
const AT_ONCE = 100

/**
 * Cancels edits that have waited for their owner for longer than videos are kept, and gives their
 * tokens back; otherwise a paid edit would keep its video for ever. A cancelled edit cannot be
 * tried again for free, because its owner never looked. Harmless to repeat.
 */
export async function cancelUnreviewed(
  ctx: Ctx,
  { keptDays }: { readonly keptDays: number },
): Promise<void> {
  const before = new Date(ctx.clock().getTime() - keptDays * 86_400_000)
  const isDue = and(
    eq(mediaJobTasks.reviewState, 'waiting'),
    eq(mediaJobTasks.status, 'created'),
    lt(mediaJobTasks.reviewAskedAt, before),
  )
  const due = await ctx.db
    .select({ id: mediaJobTasks.id, mediaJobId: mediaJobTasks.mediaJobId })
    .from(mediaJobTasks)
    .where(isDue)
    .orderBy(asc(mediaJobTasks.reviewAskedAt))
    .limit(AT_ONCE)
  for (const { id: taskId, mediaJobId } of due)
    await inTransaction(ctx, async (ctx) => {
      await lockJobRow(ctx, { mediaJobId })
      const [task] = await ctx.db
        .update(mediaJobTasks)
        .set({
          status: 'canceled',
          errorMessage: `This edit was cancelled because its faces were not reviewed within ${keptDays} days.`,
          endedAt: ctx.clock(),
        })
        .where(and(eq(mediaJobTasks.id, taskId), isDue))
        .returning()
      if (task === undefined) return
      // A free second run has nothing to give back.
      if (task.retriedAt === null) await refundTask(ctx, { taskId })
      await endWorkflowIfDone(ctx, { mediaJobId })
    })
}
