import { and, eq, isNull, lt, or, type SQL } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import {
  mediaAssets,
  mediaJobs,
  uploadImports,
  samples,
  uploadParts,
  uploadRequests,
} from '#server/db/schema.ts'
import {
  faceFilesOf,
  momentPicturesKeyOf,
  momentVideoKeyOf,
  previewKeyOf,
  samplesOf,
  thumbnailKeyOf,
} from '#server/operations/media/storage/keys.ts'
import { Problem } from '#server/problems.ts'
import { findUpload, planOf } from './find.ts'

/**
 * Gives an upload up and removes its bytes; harmless to repeat. Refuses: `uploads/not-found`,
 * `uploads/in-use`.
 */
export async function abortUploadRequest(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<void> {
  const upload = await inTransaction(ctx, async (ctx) => {
    const row = await findUpload(ctx, { id, lock: 'update' })
    if (row.state !== 'aborted') {
      await refuseUsed(ctx, row)
      await markAborted(ctx, { upload: row })
    }
    return row
  })
  await removeBytes(ctx, { upload })
}

/** Marks a locked upload as aborted, and forgets its parts and link, also when a job waits. */
export async function markAborted(
  ctx: Pick<TxCtx, 'db'>,
  { upload }: { readonly upload: Pick<UploadRow, 'id'> },
): Promise<void> {
  await ctx.db
    .update(uploadRequests)
    .set({
      state: 'aborted',
      thumbnailKey: null,
      momentPictures: null,
      momentVideo: null,
      momentVideoBytes: 0,
      sounds: null,
      assetPreview: null,
    })
    .where(eq(uploadRequests.id, upload.id))
  await ctx.db.delete(uploadParts).where(eq(uploadParts.uploadRequestId, upload.id))
  await ctx.db.delete(uploadImports).where(eq(uploadImports.uploadRequestId, upload.id))
  await ctx.db.delete(samples).where(eq(samples.uploadRequestId, upload.id))
}

async function refuseUsed(ctx: Pick<TxCtx, 'db'>, upload: UploadRow): Promise<void> {
  const [job] = await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, upload.id))
    .limit(1)
  const [asset] = await ctx.db
    .select({ id: mediaAssets.id })
    .from(mediaAssets)
    .where(eq(mediaAssets.uploadRequestId, upload.id))
    .limit(1)
  if (job !== undefined || asset !== undefined)
    throw new Problem(
      'uploads/in-use',
      'This upload is used by an edit, so it cannot be discarded.',
    )
}

/**
 * Removes what an aborted upload left in the store. Call it after the commit: bytes that a
 * rolled-back row still names must stay.
 */
export async function removeBytes(
  ctx: Pick<Ctx, 'store' | 'db' | 'clock'>,
  { upload }: { readonly upload: UploadRow },
): Promise<void> {
  await ctx.store.abortMultipart(planOf(upload), upload.storeUploadId)
  await ctx.store.remove(upload.objectKey)
  await ctx.store.remove(thumbnailKeyOf(upload.id))
  await ctx.store.remove(momentPicturesKeyOf(upload.id))
  await ctx.store.remove(momentVideoKeyOf(upload.id))
  if (upload.purpose === 'media-job') {
    await ctx.store.removeAll(faceFilesOf(upload.id))
    await ctx.store.removeAll(samplesOf(upload.id))
  }
  if (upload.purpose === 'media-asset') await ctx.store.remove(previewKeyOf(upload.id))
  await ctx.db
    .update(uploadRequests)
    .set({ bytesGoneAt: ctx.clock(), storeCall: null, storeCallAt: null })
    .where(and(eq(uploadRequests.id, upload.id), isAborted(ctx)))
}

/** Aborted, and no call of the store may bring something of it back now. */
function isAborted(ctx: Pick<Ctx, 'clock'>): SQL | undefined {
  const before = new Date(ctx.clock().getTime() - LONGEST_STORE_CALL_MS)
  return and(
    eq(uploadRequests.state, 'aborted'),
    or(isNull(uploadRequests.storeCall), lt(uploadRequests.storeCallAt, before)),
  )
}

/** Far longer than any call of a store takes. */
const LONGEST_STORE_CALL_MS = 60 * 60_000
