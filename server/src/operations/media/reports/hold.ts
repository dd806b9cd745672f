/**
 * What a report does to a file.
 *
 * [Note: holds] `held_at` of the upload's row is the whole hold: every call that names the upload,
 * or what was made of it, is refused with `uploads/held` (uploads/refuse-held.ts), lists
 * show it without contents, and neither checks, edits nor retention touch it. A hold changes no
 * file, so that a release gives back all that was there. What was paid and is not finished comes
 * back by the ledger's own way when the hold begins, once: its edits have ended then.
 */
import { and, asc, desc, eq, isNull, ne } from 'drizzle-orm'
import { inTransaction } from '#server/context.ts'
import type { JobRow, UploadRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, reportSteps, uploadRequests } from '#server/db/schema.ts'
import {
  removeAssetFiles,
  removeLastPicture,
  removeResults,
  removeSource,
} from '#server/operations/media/deletions/remove.ts'
import { markAborted } from '#server/operations/media/uploads/abort.ts'
import { forgetVideo } from '#server/operations/media/known-videos/know-video.ts'
import { recordStep, type ReportsCtx, type ReportsTx } from './steps.ts'

/** Which file, for which report, and a word for the log. */
export interface Act {
  readonly reportId: string
  readonly uploadRequestId: string
  readonly note: string | null
}

/** What became of an act; all but `done` changed nothing. */
export type Outcome = 'done' | 'not-there' | 'not-held' | 'held-by-another-report'

/**
 * Holds a file and all that was made of it; repeating is harmless. Returns its jobs, locked, whose
 * work the caller stops in the same transaction; null when there is no such file.
 */
export async function markHeld(ctx: ReportsTx, act: Act): Promise<readonly JobRow[] | null> {
  const upload = await lockUpload(ctx, act)
  if (upload === undefined || upload.state === 'aborted') return null
  await ctx.db
    .update(uploadRequests)
    .set({ heldAt: upload.heldAt ?? ctx.clock() })
    .where(eq(uploadRequests.id, upload.id))
  await recordStep(ctx, { ...act, step: 'held' })
  return await lockJobs(ctx, act)
}

/** Gives a held file back, unless another report holds it as well or it was removed. */
export async function releaseUpload(ctx: ReportsCtx, act: Act): Promise<Outcome> {
  return await inTransaction(ctx, async (ctx) => {
    const upload = await lockUpload(ctx, act)
    if (upload === undefined || upload.sourceRemovedAt !== null) return 'not-there'
    if (upload.heldAt === null) return 'not-held'
    await recordStep(ctx, { ...act, step: 'released' })
    if (await isHeldByAnother(ctx, act)) return 'held-by-another-report'
    await ctx.db
      .update(uploadRequests)
      .set({ heldAt: null })
      .where(eq(uploadRequests.id, upload.id))
    await forgetVideo(ctx, act)
    return 'done'
  })
}

/**
 * Takes a held file and all that was made of it away for good; it stays held, so that its rows
 * answer as before. The server deletes the bytes ([Note: deletions] in deletions/remove.ts), and
 * keeps the SHA-256 of the file first, so that it is not accepted again.
 */
export async function removeUpload(ctx: ReportsCtx, act: Act): Promise<Outcome> {
  return await inTransaction(ctx, async (ctx) => {
    const upload = await lockUpload(ctx, act)
    if (upload === undefined) return 'not-there'
    if (upload.heldAt === null) return 'not-held'
    await recordStep(ctx, { ...act, step: 'removed' })
    await lockJobs(ctx, act)
    if (upload.state === 'open') await markAborted(ctx, { upload })
    if (upload.purpose === 'media-asset') await removeAssetFiles(ctx, { upload, reason: 'report' })
    else await removeSource(ctx, { upload, reason: 'report' })
    const tasks = await ctx.db
      .select({ task: mediaJobTasks })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .where(and(eq(mediaJobs.uploadRequestId, upload.id), isNull(mediaJobTasks.filesRemovedAt)))
      .orderBy(asc(mediaJobTasks.id))
    for (const { task } of tasks) await removeResults(ctx, { upload, task, reason: 'report' })
    await removeLastPicture(ctx, { upload, reason: 'report' })
    return 'done'
  })
}

async function lockUpload(
  ctx: Pick<ReportsTx, 'db'>,
  { uploadRequestId }: Act,
): Promise<UploadRow | undefined> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
    .for('update')
  return upload
}

/** By [Note: lock order] in orders/find.ts. */
async function lockJobs(
  ctx: Pick<ReportsTx, 'db'>,
  { uploadRequestId }: Act,
): Promise<readonly JobRow[]> {
  return await ctx.db
    .select()
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, uploadRequestId))
    .orderBy(asc(mediaJobs.id))
    .for('update')
}

/** Whether the last word of another report on this file is a hold. */
async function isHeldByAnother(
  ctx: Pick<ReportsTx, 'db'>,
  { reportId, uploadRequestId }: Act,
): Promise<boolean> {
  const steps = await ctx.db
    .selectDistinctOn([reportSteps.reportId], { step: reportSteps.step })
    .from(reportSteps)
    .where(
      and(eq(reportSteps.uploadRequestId, uploadRequestId), ne(reportSteps.reportId, reportId)),
    )
    .orderBy(reportSteps.reportId, desc(reportSteps.id))
  return steps.some(({ step }) => step === 'held')
}
