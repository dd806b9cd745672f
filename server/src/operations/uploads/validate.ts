import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaJobs, uploadRequests } from '#server/db/schema.ts'
import { checkUpload, type CheckedFile, type Refusal } from '#server/media/check-upload.ts'
import { confirmPrices } from '#server/operations/orders/confirm-prices.ts'
import { failJob } from '#server/operations/tasks/fail.ts'
import { startWorkflowIfReady } from '#server/operations/media-jobs/start-workflow.ts'
import { planOf, thumbnailKeyOf } from './find.ts'
import { lockCompletion, reopenUpload } from './reopen.ts'

/** A message to check an upload; `signal` aborts when the worker stops. */
export interface UploadCheck {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
}

/**
 * Checks a completed upload and marks it validated or failed. In the same transaction, the jobs
 * that wait for it start, or fail with the reason and get their tokens back. If stored bytes are
 * not those that came, opens it again instead, so that these parts are sent again. Idempotent.
 * Throws when the machine is at fault (no ffmpeg, disk gone), so that the queue tries again: only
 * the file's own faults fail an upload.
 */
export async function validateUpload(
  ctx: Ctx,
  { uploadRequestId, signal }: UploadCheck,
): Promise<void> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  if (upload === undefined || upload.state !== 'completed') return
  if (ctx.ffmpeg === null) throw new Error('Uploads cannot be checked without ffmpeg')
  const damaged = await ctx.store.damagedParts(planOf(upload), signal)
  // Without its object, an earlier check crashed while it opened the upload again.
  if (damaged.length > 0 || (await ctx.store.head(upload.objectKey)) === null)
    return await reopenUpload(ctx, { upload, damaged })
  const scratchDir = join(ctx.settings.dataDir, 'scratch', `check-${upload.id}-${ctx.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const path = await ctx.store.localPath(upload.objectKey, scratchDir)
    const checked = await checkUpload(ctx.ffmpeg, {
      path,
      fileName: upload.clientFilename,
      purpose: upload.purpose,
      scratchDir,
      signal,
    })
    if (checked.ok) await settleValid(ctx, upload, checked.value)
    else await settleFailed(ctx, upload, checked.error)
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

async function settleValid(
  ctx: Ctx,
  upload: UploadRow,
  { probe, thumbnailPath, findings }: CheckedFile,
): Promise<void> {
  const thumbnailKey = thumbnailPath === null ? null : thumbnailKeyOf(upload.id)
  if (thumbnailPath !== null && thumbnailKey !== null)
    await ctx.store.putFile(thumbnailKey, thumbnailPath, 'image/jpeg')
  const standing = await settle(
    ctx,
    upload,
    {
      state: 'validated',
      mediaKind: probe.kind,
      contentType: probe.contentType,
      probe: probe.source,
      thumbnailKey,
      findings: upload.purpose === 'media-job' ? findings : null,
      metadataProcessedAt: ctx.clock(),
    },
    async (ctx, mediaJobId) => {
      await confirmPrices(ctx, { mediaJobId })
      await startWorkflowIfReady(ctx, { mediaJobId })
    },
  )
  // Given up during the check: its picture was stored after its bytes had been removed.
  if (standing === 'aborted' && thumbnailKey !== null) await ctx.store.remove(thumbnailKey)
}

async function settleFailed(ctx: Ctx, upload: UploadRow, refusal: Refusal): Promise<void> {
  ctx.log.info('upload-refused', { uploadRequestId: upload.id, code: refusal.code })
  await settle(
    ctx,
    upload,
    {
      state: 'failed',
      failureReason: refusal.message,
      failureCode: refusal.code,
      supportLog: refusal.detail,
    },
    async (ctx, mediaJobId) => {
      const failure = { message: refusal.message, supportLog: refusal.detail }
      await failJob(ctx, { mediaJobId, failure })
    },
  )
}

/**
 * Stores the verdict once and hands every job of the upload to `forJob`, all in one transaction;
 * does nothing, and says why, if the upload has changed since it was read. Follows
 * [Note: lock order] in orders/find.ts.
 */
async function settle(
  ctx: Ctx,
  upload: UploadRow,
  change: Partial<UploadRow>,
  forJob: (ctx: TxCtx, mediaJobId: string) => Promise<void>,
): ReturnType<typeof lockCompletion> {
  return await inTransaction(ctx, async (ctx) => {
    const standing = await lockCompletion(ctx, { upload })
    if (standing !== 'unchanged') return standing
    await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, upload.id))
    const jobs = await ctx.db
      .select({ id: mediaJobs.id })
      .from(mediaJobs)
      .where(eq(mediaJobs.uploadRequestId, upload.id))
      .orderBy(mediaJobs.id)
    for (const job of jobs) await forJob(ctx, job.id)
    return standing
  })
}
