import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaJobs, uploadRequests } from '#server/db/schema.ts'
import { checkUpload, type CheckedFile, type Refusal } from '#server/media/check-upload.ts'
import { confirmPrices } from '#server/operations/orders/confirm-prices.ts'
import { failJob } from '#server/operations/tasks/fail.ts'
import { startWorkflowIfReady } from '#server/operations/media-jobs/start-workflow.ts'
import { thumbnailKeyOf, type UploadRow } from './find.ts'

/**
 * Looks into a completed upload and marks it validated or failed; the jobs that wait for it start,
 * or fail with the reason and their tokens back, in the same transaction. Idempotent. Throws when
 * the machine is at fault (no ffmpeg, disk gone), so that the queue tries again: only the file's
 * own faults fail an upload.
 */
export async function validateUpload(
  deps: Deps,
  uploadRequestId: string,
  signal: AbortSignal,
): Promise<void> {
  const [upload] = await deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  if (upload === undefined || upload.state !== 'completed') return
  if (deps.ffmpeg === null) throw new Error('Uploads cannot be checked without ffmpeg')
  const scratchDir = join(deps.settings.dataDir, 'scratch', `check-${upload.id}-${deps.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const path = await deps.store.localPath(upload.objectKey, scratchDir)
    const checked = await checkUpload(deps.ffmpeg, {
      path,
      fileName: upload.clientFilename,
      purpose: upload.purpose,
      scratchDir,
      signal,
    })
    if (checked.ok) await settleValid(deps, upload, checked.value)
    else await settleFailed(deps, upload, checked.error)
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

async function settleValid(
  deps: Deps,
  upload: UploadRow,
  { probe, thumbnailPath, findings }: CheckedFile,
): Promise<void> {
  const thumbnailKey = thumbnailPath === null ? null : thumbnailKeyOf(upload.id)
  if (thumbnailPath !== null && thumbnailKey !== null)
    await deps.store.putFile(thumbnailKey, thumbnailPath, 'image/jpeg')
  const state = await settle(
    deps,
    upload,
    {
      state: 'validated',
      mediaKind: probe.kind,
      contentType: probe.contentType,
      probe: probe.source,
      thumbnailKey,
      findings: upload.purpose === 'media-job' ? findings : null,
      metadataProcessedAt: deps.clock(),
    },
    async (tx, jobId) => {
      await confirmPrices(tx, deps, jobId)
      await startWorkflowIfReady(tx, deps, jobId)
    },
  )
  // Given up while it was looked at: its picture came after its bytes had gone.
  if (state === 'aborted' && thumbnailKey !== null) await deps.store.remove(thumbnailKey)
}

async function settleFailed(deps: Deps, upload: UploadRow, refusal: Refusal): Promise<void> {
  deps.log.info('upload-refused', { uploadRequestId: upload.id, code: refusal.code })
  await settle(
    deps,
    upload,
    {
      state: 'failed',
      failureReason: refusal.message,
      failureCode: refusal.code,
      supportLog: refusal.detail,
    },
    async (tx, jobId) => {
      await failJob(tx, deps, jobId, { message: refusal.message, supportLog: refusal.detail })
    },
  )
}

/**
 * Writes the verdict once, then tells every job of the upload; returns the state it found. The
 * order upload -> job is [Note: lock order]'s beginning.
 */
async function settle(
  deps: Deps,
  upload: UploadRow,
  change: Partial<UploadRow>,
  tell: (tx: Tx, jobId: string) => Promise<void>,
): Promise<UploadRow['state'] | undefined> {
  return await deps.db.transaction(async (tx) => {
    const [current] = await tx
      .select({ state: uploadRequests.state })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, upload.id))
      .for('update')
    if (current?.state !== 'completed') return current?.state
    await tx.update(uploadRequests).set(change).where(eq(uploadRequests.id, upload.id))
    const jobs = await tx
      .select({ id: mediaJobs.id })
      .from(mediaJobs)
      .where(eq(mediaJobs.uploadRequestId, upload.id))
      .orderBy(mediaJobs.id)
    for (const job of jobs) await tell(tx, job.id)
    return current.state
  })
}
