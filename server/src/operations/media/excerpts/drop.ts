import { and, eq, ne, sql } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { markAborted, removeBytes } from '#server/operations/media/uploads/abort.ts'
import { lockUpload } from '#server/operations/media/uploads/find.ts'

/** No edit needs an excerpt any more once its video has been checked, given up or removed. */
const isOver = sql`(
  ${uploadRequests.state} = 'failed' or not exists (
    select 1 from upload_requests w where w.id = ${uploadRequests.excerptOf}
      and w.state in ('open', 'completed') and w.source_removed_at is null
  )
) and not exists (
  select 1 from media_job_tasks t where t.source_upload_id = ${uploadRequests.id}
    and t.status in ('created', 'started')
)`

/**
 * Gives up the excerpts that no edit needs any more, of all videos or of one, and removes their
 * bytes; what was made of them stays. Harmless to repeat: what a crash leaves, the sweep of aborted
 * uploads removes.
 */
export async function dropExcerpts(ctx: Ctx, { of }: { readonly of?: string } = {}): Promise<void> {
  const over = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.purpose, 'excerpt'),
        ne(uploadRequests.state, 'aborted'),
        of === undefined ? undefined : eq(uploadRequests.excerptOf, of),
        isOver,
      ),
    )
  for (const { id } of over) {
    const dropped = await inTransaction(ctx, async (ctx) => {
      const upload = await lockUpload(ctx, id)
      if (upload === undefined || upload.state === 'aborted') return null
      await markAborted(ctx, { upload })
      return upload
    })
    if (dropped === null) continue
    await removeBytes(ctx, { upload: dropped }).catch((error: unknown) =>
      ctx.log.error('storage/not-deleted', error, { uploadRequestId: id }),
    )
  }
}
