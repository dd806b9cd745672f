import { eq } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports, uploadParts, uploadRequests } from '#server/db/schema.ts'
import { failJobsOf } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { beginCompletion, finishUpload } from '#server/operations/media/uploads/complete.ts'
import { lockUpload, planOf } from '#server/operations/media/uploads/find.ts'

/** Why an import ends without its file. */
export interface ImportFailure {
  readonly message: string
}

/** Completes an upload whose parts are all stored, as its sender would. */
export async function finishImport(ctx: Ctx, { upload }: { upload: UploadRow }): Promise<void> {
  const parts = await ctx.store.listParts(planOf(upload), upload.storeUploadId)
  const begun = await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, upload.id)
    if (locked?.state !== 'open' || locked.heldAt !== null) return null
    return await beginCompletion(ctx, { upload: locked })
  })
  if (begun !== null) await finishUpload(ctx, { upload: begun, parts })
}

/**
 * Ends an import for good: the link is forgotten, what has arrived goes, and jobs that wait for the
 * video fail with the reason and get their tokens back.
 */
export async function failImport(
  ctx: Ctx,
  { upload, failure }: { readonly upload: UploadRow; readonly failure: ImportFailure },
): Promise<void> {
  const { id } = upload
  const hasFailed = await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, id)
    if (locked?.state !== 'open' || locked.heldAt !== null) return false
    await ctx.db
      .update(uploadRequests)
      .set({
        state: 'failed',
        failureCode: 'import-failed',
        failureReason: failure.message,
        // Nothing of it takes room any more.
        sourceRemovedAt: ctx.clock(),
      })
      .where(eq(uploadRequests.id, id))
    await ctx.db.delete(uploadParts).where(eq(uploadParts.uploadRequestId, id))
    await ctx.db.delete(uploadImports).where(eq(uploadImports.uploadRequestId, id))
    await failJobsOf(ctx, { uploadRequestId: id, message: failure.message })
    return true
  })
  if (!hasFailed) return
  ctx.log.info('import-failed', { uploadRequestId: id })
  await ctx.store.abortMultipart(planOf(upload), upload.storeUploadId)
}

/** Forgets all parts, because they are of a version that is gone. */
export async function dropParts(ctx: Ctx, { upload }: { upload: UploadRow }): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, upload.id)
    if (locked?.state !== 'open') return
    await ctx.db.delete(uploadParts).where(eq(uploadParts.uploadRequestId, upload.id))
  })
}
