import { and, count, eq, gt } from 'drizzle-orm'
import { SEARCHES_AHEAD_PER_HOUR } from '#server/budgets.ts'
import type { TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'

/**
 * Queues the search for moments of a video that was just checked, in the caller's transaction. An
 * account gets so many an hour; of its other videos, the first edit searches.
 */
export async function enqueueSearchAhead(
  ctx: Pick<TxCtx, 'db' | 'queue' | 'clock'>,
  { upload }: { readonly upload: Pick<UploadRow, 'id' | 'userId'> },
): Promise<void> {
  const hourAgo = new Date(ctx.clock().getTime() - 60 * 60_000)
  const [checked] = await ctx.db
    .select({ videos: count() })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, upload.userId),
        eq(uploadRequests.purpose, 'media-job'),
        eq(uploadRequests.state, 'validated'),
        gt(uploadRequests.metadataProcessedAt, hourAgo),
      ),
    )
  if ((checked?.videos ?? 0) > SEARCHES_AHEAD_PER_HOUR) return
  await queueSearch(ctx, { uploadRequestId: upload.id })
}

/** Queues the search of a checked video, unless one waits already. */
export async function queueSearch(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
  startAfterS?: number,
): Promise<void> {
  const later = startAfterS === undefined ? {} : { startAfterS }
  const options = { singletonKey: uploadRequestId, ...later }
  await ctx.queue.enqueue(ctx.db, 'search-moments', { uploadRequestId }, options)
}
