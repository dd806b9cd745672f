import { eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { PartsMissing } from '#server/object-store/failures.ts'
import type { ClaimedPart, StoredPart } from '#server/object-store/port.ts'
import { Problem } from '#server/problems.ts'
import { compositeChecksum } from './checksum.ts'
import { findUpload, planOf } from './find.ts'
import { refuseAborted } from './refuse-dead.ts'
import { refuseUnplanned } from './refuse-unplanned.ts'

/**
 * Makes the file from its parts and queues its check. Repeating returns the upload. Refuses:
 * `uploads/not-found`, `uploads/aborted`, `uploads/parts-missing` with their numbers (nothing is
 * lost), `request/invalid` for a part that is not planned.
 */
export async function completeUploadRequest(
  ctx: UserCtx,
  { id, parts }: { readonly id: string; readonly parts: readonly ClaimedPart[] },
): Promise<UploadRow> {
  return await inTransaction(ctx, async (ctx) => {
    // The exclusive lock makes late repeats of parts wait, and then find the upload closed.
    const upload = await findUpload(ctx, { id, lock: 'update' })
    refuseAborted(upload)
    if (upload.state !== 'open') return upload
    refuseUnplanned(upload, {
      partNumbers: parts.map((part) => part.partNumber),
      field: 'uploadRequest.upload.parts',
    })
    return await finishUpload(ctx, { upload, parts })
  })
}

/** Makes the file of a locked upload that takes parts, and queues its check. */
export async function finishUpload(
  ctx: TxCtx,
  { upload, parts }: { readonly upload: UploadRow; readonly parts: readonly ClaimedPart[] },
): Promise<UploadRow> {
  const { id } = upload
  const change = {
    state: 'completed',
    checksumSha256: compositeChecksum(await joinParts(ctx, upload, parts)),
    uploadEndedAt: ctx.clock(),
  } as const
  await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, id))
  await enqueueCheck(ctx, { uploadRequestId: id })
  return { ...upload, ...change }
}

/** Queues the check of a completed upload; does nothing while one waits. */
export async function enqueueCheck(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<void> {
  await ctx.queue.enqueue(
    ctx.db,
    'validate-upload',
    { uploadRequestId },
    { singletonKey: uploadRequestId },
  )
}

async function joinParts(
  ctx: TxCtx,
  upload: UploadRow,
  parts: readonly ClaimedPart[],
): Promise<readonly StoredPart[]> {
  try {
    return await ctx.store.completeMultipart(planOf(upload), upload.storeUploadId, parts, ctx.db)
  } catch (error) {
    if (!(error instanceof PartsMissing)) throw error
    throw new Problem(
      'uploads/parts-missing',
      `${error.partNumbers.length} of ${upload.partCount} parts are not here yet. They will be sent again.`,
      { missingPartNumbers: error.partNumbers },
    )
  }
}
