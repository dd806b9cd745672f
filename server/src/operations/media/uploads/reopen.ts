import { and, eq, inArray } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadParts, uploadRequests } from '#server/db/schema.ts'
import { planOf } from './find.ts'

/** A completed upload as its check read it, and the parts whose bytes are not those that came. */
interface DamagedUpload {
  readonly upload: UploadRow
  readonly damaged: readonly number[]
}

/**
 * Opens a completed upload again and forgets its damaged parts, so that its sender finds exactly
 * these missing and sends them again. Jobs that wait for the upload keep waiting. Does nothing if
 * the upload has changed since it was read.
 */
export async function reopenUpload(ctx: Ctx, { upload, damaged }: DamagedUpload): Promise<void> {
  const isStill = async (ctx: TxCtx): Promise<boolean> =>
    (await lockCompletion(ctx, { upload })) === 'unchanged'
  if (!(await inTransaction(ctx, isStill))) return
  // A crash behind it leaves a completed upload without its object; the next check goes on here.
  const { storeUploadId } = await ctx.store.reopenMultipart(
    planOf(upload),
    upload.storeUploadId,
    damaged,
  )
  const isReopened = await inTransaction(ctx, async (ctx) => {
    if (!(await isStill(ctx))) return false
    await ctx.db
      .delete(uploadParts)
      .where(
        and(
          eq(uploadParts.uploadRequestId, upload.id),
          inArray(uploadParts.partNumber, [...damaged]),
        ),
      )
    await ctx.db
      .update(uploadRequests)
      .set({
        state: 'open',
        storeUploadId,
        uploadEndedAt: null,
        checksumSha256: null,
        reopenedAt: ctx.clock(),
      })
      .where(eq(uploadRequests.id, upload.id))
    return true
  })
  if (isReopened)
    ctx.log.warn('upload-damaged', { uploadRequestId: upload.id, parts: damaged.length })
}

/**
 * Locks the row of a completed upload until the transaction ends. `unchanged`: it still stands at
 * the completion that was read; `aborted`: it was given up, or deleted with its account; `changed`:
 * another check ended first, it was opened again, or it is held.
 */
export async function lockCompletion(
  ctx: Pick<TxCtx, 'db'>,
  { upload }: { readonly upload: UploadRow },
): Promise<'unchanged' | 'aborted' | 'changed'> {
  const [current] = await ctx.db
    .select({
      state: uploadRequests.state,
      uploadEndedAt: uploadRequests.uploadEndedAt,
      heldAt: uploadRequests.heldAt,
    })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, upload.id))
    .for('update')
  if (current === undefined || current.state === 'aborted') return 'aborted'
  return current.state === 'completed' &&
    current.heldAt === null &&
    current.uploadEndedAt?.getTime() === upload.uploadEndedAt?.getTime()
    ? 'unchanged'
    : 'changed'
}
