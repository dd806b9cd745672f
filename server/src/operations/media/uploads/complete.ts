import { and, eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { PartsMissing } from '#server/object-store/failures.ts'
import type { ClaimedPart, StoredPart } from '#server/object-store/port.ts'
import { notFound, Problem, unavailable } from '#server/problems.ts'
import { removeBytes } from './abort.ts'
import { compositeChecksum } from './checksum.ts'
import { findUpload, lockUpload, planOf } from './find.ts'
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
  const upload = await inTransaction(ctx, async (ctx) => {
    const locked = await findUpload(ctx, { id, lock: 'update' })
    refuseAborted(locked)
    if (locked.state !== 'open') return locked
    refuseUnplanned(locked, {
      partNumbers: parts.map((part) => part.partNumber),
      field: 'uploadRequest.upload.parts',
    })
    return await beginCompletion(ctx, { upload: locked })
  })
  return upload.state === 'open' ? await finishUpload(ctx, { upload, parts }) : upload
}

/**
 * Marks a locked upload that takes parts, before its file is made ([Note: calls of the store]).
 * From here on no byte of it changes: late repeats of parts find that, or waited for the lock.
 */
export async function beginCompletion(
  ctx: Pick<TxCtx, 'db' | 'clock'>,
  { upload }: { readonly upload: UploadRow },
): Promise<UploadRow> {
  if (upload.storeCall === 'opening') throw unavailable()
  const change = { storeCall: 'completing', storeCallAt: ctx.clock() } as const
  await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, upload.id))
  return { ...upload, ...change }
}

/**
 * Makes the file of an upload whose completion has begun, and queues its check; safe to repeat.
 * Refuses as `completeUploadRequest`, and `uploads/held`; of an upload that was given up meanwhile
 * nothing stays in the store.
 */
export async function finishUpload(
  ctx: Ctx,
  { upload, parts }: { readonly upload: UploadRow; readonly parts: readonly ClaimedPart[] },
): Promise<UploadRow> {
  const { id } = upload
  const checksumSha256 = compositeChecksum(await joinParts(ctx, upload, parts))
  const finished = await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, id)
    if (locked === undefined || locked.state !== 'open' || locked.heldAt !== null) return locked
    const change = {
      state: 'completed',
      storeCall: null,
      storeCallAt: null,
      checksumSha256,
      uploadEndedAt: ctx.clock(),
    } as const
    await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, id))
    await enqueueCheck(ctx, { uploadRequestId: id })
    return { ...locked, ...change }
  })
  if (finished === undefined || finished.state === 'aborted') await removeBytes(ctx, { upload })
  if (finished === undefined) throw notFound('uploads/not-found')
  refuseAborted(finished)
  return finished
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
  ctx: Ctx,
  upload: UploadRow,
  parts: readonly ClaimedPart[],
): Promise<readonly StoredPart[]> {
  try {
    return await ctx.store.completeMultipart(planOf(upload), upload.storeUploadId, parts)
  } catch (error) {
    if (!(error instanceof PartsMissing)) throw error
    await takePartsAgain(ctx, upload)
    throw new Problem(
      'uploads/parts-missing',
      `${error.partNumbers.length} of ${upload.partCount} parts are not here yet. They will be sent again.`,
      { missingPartNumbers: error.partNumbers },
    )
  }
}

/** Ends a completion that made nothing, unless another one has begun since. */
async function takePartsAgain(ctx: Pick<Ctx, 'db'>, upload: UploadRow): Promise<void> {
  const { id, storeCallAt } = upload
  if (storeCallAt === null) return
  await ctx.db
    .update(uploadRequests)
    .set({ storeCall: null, storeCallAt: null })
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.storeCallAt, storeCallAt)))
}
