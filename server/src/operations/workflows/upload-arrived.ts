/**
 * An upload has arrived: all of its bytes are in the store. It is checked, and what waits for it
 * goes on or ends.
 */
import { eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { isLostConnection } from '#server/db/lost-connection.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { GaveWay } from '#server/media/allowance.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { startWorkflowIfReady } from '#server/operations/commerce/fulfilment/start-workflow.ts'
import { failJob } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { confirmPrices } from '#server/operations/commerce/orders/confirm-prices.ts'
import { finishDeletions, removeSource } from '#server/operations/media/deletions/remove.ts'
import { dropExcerpts } from '#server/operations/media/excerpts/drop.ts'
import { readJobIds } from '#server/operations/media/media-jobs/lock.ts'
import { isBlocked } from '#server/operations/media/known-videos/blocked.ts'
import { enqueuePreview, needsPreview } from '#server/operations/media/media-assets/preview.ts'
import { reportRecognised } from '#server/operations/media/reports/report-recognised.ts'
import { noteCheckFault } from '#server/operations/media/uploads/check-faults.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { enqueueSearchAhead } from '#server/operations/media/uploads/queue-search.ts'
import { lockCompletion, reopenUpload } from '#server/operations/media/uploads/reopen.ts'
import { followWish } from '#server/operations/media/uploads/sounds.ts'
import { isAsImported } from '#server/operations/processing/imports/compare.ts'
import {
  checkArrived,
  type AcceptedFile,
  type UploadRefusal,
  type Verdict,
} from './check-arrived.ts'
import { stopJob } from './upload-held.ts'

/** A message to check an upload; `signal` aborts when the worker stops. */
export interface UploadCheck {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
  /** Asked once where the check is slow; no = it ends with `GaveWay` and begins again later. */
  readonly mayGoOn?: () => boolean
}

/** What a check takes beside its reads, and how fast the slowest disk gives the file. */
const CHECK_BASE_MS = 30 * 60_000
const SLOWEST_BYTES_PER_MS = 5000

/** The longest that a check may take: it reads the whole file three times. */
export function longestCheckMs(sizeBytes: number): number {
  return CHECK_BASE_MS + (3 * sizeBytes) / SLOWEST_BYTES_PER_MS
}

/**
 * Checks a completed upload and marks it validated or failed. In the same transaction, the jobs
 * that wait for it start, or fail with the reason and get their tokens back. If stored bytes are
 * not those that came, opens it again instead, so that these parts are sent again. Idempotent.
 * Throws when the machine is at fault (no ffmpeg, disk gone), so that the queue tries again: only
 * the file's own faults fail an upload, and a file whose check is killed again and again.
 */
export async function validateUpload(ctx: Ctx, check: UploadCheck): Promise<void> {
  try {
    await checkAndSettle(ctx, check)
  } catch (error) {
    const isCutOff = check.signal.aborted || error instanceof GaveWay || isLostConnection(error)
    if (!isCutOff) await noteCheckFault(ctx, check, error)
    throw error
  }
}

async function checkAndSettle(
  ctx: Ctx,
  { uploadRequestId, signal: stop, mayGoOn }: UploadCheck,
): Promise<void> {
  const upload = await readArrived(ctx, { uploadRequestId })
  if (upload === null) return
  const { ffmpeg } = ctx
  if (ffmpeg === null) throw new Error('Uploads cannot be checked without ffmpeg')
  const limit = AbortSignal.timeout(Math.ceil(longestCheckMs(upload.sizeBytes)))
  const signal = AbortSignal.any([stop, limit])
  const damaged = await ctx.store.damagedParts(planOf(upload), signal)
  // Without its object, an earlier check crashed while it opened the upload again.
  if (damaged.length > 0 || (await ctx.store.head(upload.objectKey)) === null)
    return await reopenUpload(ctx, { upload, damaged })
  if (!(await isAsImported(ctx, { upload, signal })))
    return await fail(ctx, upload, NOT_AS_IMPORTED)
  if (await isBlocked(ctx, { upload, signal })) return await failAndRemove(ctx, upload)
  await settle(ctx, upload, await checkArrived(ctx, upload, { ffmpeg, signal, mayGoOn }))
  await dropExcerpts(ctx, { of: upload.id })
}

/** The upload while it waits for its check; null when it does not, or is held. */
async function readArrived(
  { db }: Pick<Ctx, 'db'>,
  { uploadRequestId }: Pick<UploadCheck, 'uploadRequestId'>,
): Promise<UploadRow | null> {
  const [upload] = await db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  return upload?.state === 'completed' && upload.heldAt === null ? upload : null
}

const NOT_AS_IMPORTED: UploadRefusal = {
  code: 'import-failed',
  message:
    'What arrived is not the file that Google Drive has: its MD5 differs. Please choose the file again, or upload it from a device.',
  detail: 'the MD5 of the file is not the one that its drive named',
}

const BLOCKED: UploadRefusal = {
  code: 'not-accepted',
  message: 'This file cannot be used here. Please contact us if you have questions.',
  detail: 'the same file was removed after a report',
}

/** The same bytes were removed after a report: they fail like an unreadable file, and go. */
async function failAndRemove(ctx: Ctx, upload: UploadRow): Promise<void> {
  await fail(ctx, upload, BLOCKED)
  await inTransaction(ctx, async (ctx) => await removeSource(ctx, { upload, reason: 'report' }))
  await finishDeletions(ctx, { uploadRequestId: upload.id })
}

async function settle(ctx: Ctx, upload: UploadRow, verdict: Verdict): Promise<void> {
  switch (verdict.kind) {
    case 'refused':
      return await fail(ctx, upload, verdict.refusal)
    case 'excerpt':
      return await acceptExcerpt(ctx, upload, verdict.probe)
    case 'whole':
      return await acceptWhole(ctx, upload, verdict)
  }
}

/** The jobs of a refused upload end, and their tokens come back; what its excerpt gave is kept. */
async function fail(ctx: Ctx, upload: UploadRow, refusal: UploadRefusal): Promise<void> {
  const { code, message, detail: supportLog } = refusal
  ctx.log.info('upload-refused', { uploadRequestId: upload.id, code })
  await store(
    ctx,
    upload,
    { state: 'failed', failureReason: message, failureCode: code, supportLog },
    async (ctx, mediaJobIds) => {
      for (const mediaJobId of mediaJobIds)
        await failJob(ctx, { mediaJobId, failure: { message, supportLog }, goOnFromExcerpt: true })
    },
  )
}

/** From now on, paid edits of its video that show nothing else are made from it. */
async function acceptExcerpt(
  ctx: Ctx,
  upload: UploadRow,
  { kind, contentType, source }: FileProbe,
): Promise<void> {
  const checked = { state: 'validated', mediaKind: kind, contentType, probe: source } as const
  await store(ctx, upload, { ...checked, metadataProcessedAt: ctx.clock() }, async (ctx) => {
    if (upload.excerptOf === null) return
    for (const mediaJobId of await readJobIds(ctx, { uploadRequestId: upload.excerptOf }))
      await startWorkflowIfReady(ctx, { mediaJobId })
  })
}

/**
 * Its orders get the price of the measured length, and its paid jobs start. One that was recognised
 * is held instead: its jobs stop, and the operator looks at it.
 */
async function acceptWhole(
  ctx: Ctx,
  upload: UploadRow,
  { file: { probe, findings, sounds, recognised }, thumbnailKey }: AcceptedFile,
): Promise<void> {
  const standing = await store(
    ctx,
    upload,
    {
      state: 'validated',
      mediaKind: probe.kind,
      contentType: probe.contentType,
      probe: probe.source,
      thumbnailKey,
      findings,
      sounds: sounds.length === 0 ? null : sounds,
      assetPreview: needsPreview(upload, probe.kind) ? 'waiting' : null,
      metadataProcessedAt: ctx.clock(),
      ...(recognised === null ? {} : { heldAt: ctx.clock() }),
    },
    async (ctx, mediaJobIds) => {
      await followWish(ctx, { uploadRequestId: upload.id })
      for (const mediaJobId of mediaJobIds) {
        await confirmPrices(ctx, { mediaJobId })
        if (recognised === null) await startWorkflowIfReady(ctx, { mediaJobId })
      }
      if (recognised === null) return
      for (const mediaJobId of mediaJobIds) await stopJob(ctx, { mediaJobId })
      await reportRecognised(ctx, { uploadRequestId: upload.id, recognised })
    },
  )
  // Given up during the check: its picture was stored after its bytes had been removed.
  if (standing === 'aborted' && thumbnailKey !== null) await ctx.store.remove(thumbnailKey)
}

/**
 * Stores the verdict once and hands the jobs of the upload to `forJobs`, all in one transaction;
 * does nothing, and says why, if the upload has changed since it was read. Follows
 * [Note: lock order] in orders/find.ts.
 */
async function store(
  ctx: Ctx,
  upload: UploadRow,
  change: Partial<UploadRow>,
  forJobs: (ctx: TxCtx, mediaJobIds: readonly string[]) => Promise<void>,
): ReturnType<typeof lockCompletion> {
  return await inTransaction(ctx, async (ctx) => {
    const standing = await lockCompletion(ctx, { upload })
    if (standing !== 'unchanged') return standing
    await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, upload.id))
    // Until now a damaged part would have been fetched again.
    await ctx.db.delete(uploadImports).where(eq(uploadImports.uploadRequestId, upload.id))
    if (change.state === 'validated' && upload.purpose === 'media-job')
      await enqueueSearchAhead(ctx, { upload })
    if (change.assetPreview === 'waiting') await enqueuePreview(ctx, { uploadRequestId: upload.id })
    await forJobs(ctx, await readJobIds(ctx, { uploadRequestId: upload.id }))
    return standing
  })
}
