import { and, eq, isNull, lt } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { enqueueDueSaves } from '#server/operations/processing/drive-saves/enqueue.ts'
import { requeueNotices } from '#server/operations/core/mail/send.ts'
import { requeuePushes } from '#server/operations/accounts/pushes/deliver.ts'
import { enqueueDueImports } from '#server/operations/processing/imports/enqueue.ts'
import { enqueuePreview } from '#server/operations/media/media-assets/preview.ts'
import { enqueueKnowing } from '#server/operations/media/known-videos/know-video.ts'
import { readWaitingIds } from '#server/operations/processing/slots/waiting.ts'
import { enqueueTasks } from '#server/operations/commerce/fulfilment/enqueue-task.ts'
import { enqueueCheck } from '#server/operations/media/uploads/complete.ts'
import { endLeftCalls } from '#server/operations/media/uploads/store-calls.ts'

/** A completed upload that is not checked after this long has lost its message. */
const CHECK_OVERDUE_MS = 60_000

/**
 * Queues again the work that the rows say is due and no process is doing: after a crash, a restored
 * database, or an ffmpeg that was installed later. Harmless to repeat: a message only names a row
 * to look at.
 */
export async function reconcile(ctx: Ctx): Promise<void> {
  const taskIds = await readWaitingIds(ctx, { kind: 'edits' })
  await inTransaction(ctx, async (ctx) => await enqueueTasks(ctx, { taskIds }))
  await endLeftCalls(ctx)
  const overdue = new Date(ctx.clock().getTime() - CHECK_OVERDUE_MS)
  const previews = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.assetPreview, 'waiting'),
        lt(uploadRequests.metadataProcessedAt, overdue),
      ),
    )
  for (const { id: uploadRequestId } of previews)
    await inTransaction(ctx, async (ctx) => await enqueuePreview(ctx, { uploadRequestId }))
  await enqueueKnowing(ctx)
  await requeueNotices(ctx)
  await requeuePushes(ctx)
  await enqueueDueImports(ctx, 'everyone')
  await enqueueDueSaves(ctx, 'everyone')
  const uploads = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.state, 'completed'),
        isNull(uploadRequests.heldAt),
        lt(uploadRequests.uploadEndedAt, overdue),
      ),
    )
  for (const { id: uploadRequestId } of uploads)
    await inTransaction(ctx, async (ctx) => await enqueueCheck(ctx, { uploadRequestId }))
}
