import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { err, ok, type Result } from '#recipes/result.ts'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaJobs, uploadImports, uploadRequests } from '#server/db/schema.ts'
import {
  checkUpload,
  toolsForCheck,
  type CheckedFile,
  type UploadCheck as FileCheck,
} from '#server/media/check-upload.ts'
import { TOO_SLOW, type Refusal } from '#server/media/upload-refusals.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { ToolFault } from '#server/media/process.ts'
import { confirmPrices } from '#server/operations/orders/confirm-prices.ts'
import { isAsImported } from '#server/operations/imports/compare.ts'
import { checkAndCompareExcerpt } from '#server/operations/excerpts/check.ts'
import { dropExcerpts } from '#server/operations/excerpts/drop.ts'
import { isBlocked } from '#server/operations/known-videos/blocked.ts'
import { recognise, type Recognised } from '#server/operations/known-videos/recognise.ts'
import { finishDeletions, removeSource } from '#server/operations/deletions/remove.ts'
import { enqueueSearchAhead } from './queue-search.ts'
import { failJob } from '#server/operations/fulfilment/task-ended.ts'
import { startWorkflowIfReady } from '#server/operations/fulfilment/start-workflow.ts'
import { enqueuePreview, needsPreview } from '#server/operations/media-assets/preview.ts'
import { reportRecognised } from '#server/operations/reports/report-recognised.ts'
import { planOf } from './find.ts'
import { thumbnailKeyOf } from '#server/operations/storage/keys.ts'
import { stopJob } from '#server/operations/workflows/upload-held.ts'
import { withProcessorTime } from './processor-time.ts'
import { followWish } from './sounds.ts'
import { lockCompletion, reopenUpload } from './reopen.ts'

/** A message to check an upload; `signal` aborts when the worker stops. */
export interface UploadCheck {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
  /** Asked once where the check is slow; no = it ends with `GaveWay` and begins again later. */
  readonly mayGoOn?: () => boolean
}

/**
 * Why an upload fails: by what is in the file, because the same file was removed, or because it is
 * not what its host says of it.
 */
type UploadRefusal = Omit<Refusal, 'code'> & {
  readonly code: Refusal['code'] | 'not-accepted' | 'import-failed'
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
export async function validateUpload(
  ctx: Ctx,
  { uploadRequestId, signal: stop, mayGoOn }: UploadCheck,
): Promise<void> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  if (upload === undefined || upload.state !== 'completed' || upload.heldAt !== null) return
  const { ffmpeg } = ctx
  if (ffmpeg === null) throw new Error('Uploads cannot be checked without ffmpeg')
  const limit = AbortSignal.timeout(Math.ceil(longestCheckMs(upload.sizeBytes)))
  const signal = AbortSignal.any([stop, limit])
  const damaged = await ctx.store.damagedParts(planOf(upload), signal)
  // Without its object, an earlier check crashed while it opened the upload again.
  if (damaged.length > 0 || (await ctx.store.head(upload.objectKey)) === null)
    return await reopenUpload(ctx, { upload, damaged })
  if (!(await isAsImported(ctx, { upload, signal })))
    return await settleFailed(ctx, upload, NOT_AS_IMPORTED)
  if (await isBlocked(ctx, { upload, signal })) return await settleBlocked(ctx, upload)
  const scratchDir = join(ctx.settings.scratchDir, `check-${upload.id}-${ctx.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    await ctx.copies.use(planOf(upload), signal, async (path) => {
      const account = { userId: upload.userId, ffmpeg: await toolsForCheck(ffmpeg, path, mayGoOn) }
      await withProcessorTime(ctx, account, async (tools) => {
        await checkFile(ctx, upload, { ffmpeg: tools, path, scratchDir, signal })
      })
    })
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
  await dropExcerpts(ctx, { of: upload.id })
}

/** The file of an upload, and what may be used for its check. */
interface FileAtHand {
  readonly ffmpeg: Ffmpeg
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

async function checkFile(ctx: Ctx, upload: UploadRow, file: FileAtHand): Promise<void> {
  const { purpose, clientFilename: fileName } = upload
  const refused = async (error: unknown) => err(await refuseKilled(ctx, upload, error))
  if (purpose === 'excerpt') {
    const checked = await checkAndCompareExcerpt(ctx, upload, file).catch(refused)
    if (checked.ok) return await settleExcerpt(ctx, upload, checked.value)
    return await settleFailed(ctx, upload, checked.error)
  }
  const { ffmpeg, ...place } = file
  const checked = await checkAndCompare(ctx, ffmpeg, { ...place, fileName, purpose }).catch(refused)
  if (checked.ok) await settleValid(ctx, upload, checked.value)
  else await settleFailed(ctx, upload, checked.error)
}

/** From now on, paid edits of its video that show nothing else are made from it. */
async function settleExcerpt(
  ctx: Ctx,
  upload: UploadRow,
  { kind, contentType, source }: FileProbe,
): Promise<void> {
  const checked = { state: 'validated', mediaKind: kind, contentType, probe: source } as const
  await settle(ctx, upload, { ...checked, metadataProcessedAt: ctx.clock() }, async (ctx) => {
    if (upload.excerptOf === null) return
    for (const mediaJobId of await jobsOf(ctx, upload.excerptOf))
      await startWorkflowIfReady(ctx, { mediaJobId })
  })
}

const NOT_AS_IMPORTED: UploadRefusal = {
  code: 'import-failed',
  message:
    'What arrived is not the file that Google Drive has: its MD5 differs. Please choose the file again, or upload it from a device.',
  detail: 'the MD5 of the file is not the one that its drive named',
}

/** What a check found, and the held or removed video of which the file is a copy. */
interface ComparedFile extends CheckedFile {
  readonly recognised: Recognised | null
}

async function checkAndCompare(
  ctx: Ctx,
  ffmpeg: Ffmpeg,
  check: FileCheck,
): Promise<Result<ComparedFile, Refusal>> {
  const checked = await checkUpload(ffmpeg, check)
  if (!checked.ok) return checked
  const { kind, source: probe } = checked.value.probe
  if (kind !== 'video') return ok({ ...checked.value, recognised: null })
  const { allowance } = ffmpeg
  allowance?.grantAll()
  const cutsBefore = allowance?.cuts()
  const sitter = { ...check, probe, folder: check.scratchDir }
  const recognised = await recognise({ ...ctx, ffmpeg }, sitter)
  // Else a copy of a removed video would pass where its file is made to be slow.
  return recognised === null && allowance?.cuts() !== cutsBefore
    ? err({ code: 'unreadable', message: TOO_SLOW, detail: 'no time was left to compare it' })
    : ok({ ...checked.value, recognised })
}

/**
 * How often the system may kill a check, or be too slow for it. Later the machine may have the
 * memory or the disk; a file that takes more than there is must come to an end, and not kill what
 * else runs here again and again.
 */
const MAX_KILLS = 2
const OUR_FAULT =
  'Something went wrong on our side while we checked this file. Please upload it again, or contact us.'

/**
 * Counts a kill, or a check that the machine was too slow for, and throws it again, for another
 * check; the last one is a refusal.
 */
async function refuseKilled(ctx: Ctx, upload: UploadRow, error: unknown): Promise<Refusal> {
  if (!(error instanceof ToolFault) || error.reason === 'not-started') throw error
  const checkKills = upload.checkKills + 1
  if (checkKills >= MAX_KILLS)
    return { code: 'unreadable', message: OUR_FAULT, detail: error.message }
  await ctx.db.update(uploadRequests).set({ checkKills }).where(eq(uploadRequests.id, upload.id))
  throw error
}

async function settleValid(
  ctx: Ctx,
  upload: UploadRow,
  { probe, thumbnailPath, findings, sounds, recognised }: ComparedFile,
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

/** The same bytes were removed after a report: they fail like an unreadable file, and go. */
async function settleBlocked(ctx: Ctx, upload: UploadRow): Promise<void> {
  await settleFailed(ctx, upload, {
    code: 'not-accepted',
    message: 'This file cannot be used here. Please contact us if you have questions.',
    detail: 'the same file was removed after a report',
  })
  await inTransaction(ctx, async (ctx) => await removeSource(ctx, { upload, reason: 'report' }))
  await finishDeletions(ctx, { uploadRequestId: upload.id })
}

async function settleFailed(ctx: Ctx, upload: UploadRow, refusal: UploadRefusal): Promise<void> {
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
    async (ctx, mediaJobIds) => {
      const failure = { message: refusal.message, supportLog: refusal.detail }
      for (const mediaJobId of mediaJobIds)
        await failJob(ctx, { mediaJobId, failure, goOnFromExcerpt: true })
    },
  )
}

/**
 * Stores the verdict once and hands the jobs of the upload to `forJobs`, all in one transaction;
 * does nothing, and says why, if the upload has changed since it was read. Follows
 * [Note: lock order] in orders/find.ts.
 */
async function settle(
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
    await forJobs(ctx, await jobsOf(ctx, upload.id))
    return standing
  })
}

async function jobsOf(ctx: TxCtx, uploadRequestId: string): Promise<readonly string[]> {
  const jobs = await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, uploadRequestId))
    .orderBy(mediaJobs.id)
  return jobs.map(({ id }) => id)
}
