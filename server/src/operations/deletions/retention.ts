import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { lockUpload } from '#server/operations/uploads/find.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { cancelUnreviewed } from '#server/operations/faces/cancel.ts'
import { announceDeletions } from './announce.ts'
import { noticeDays } from '#server/operations/storage/notice.ts'
import { jobInUse, jobLastEditAt } from '#server/operations/storage/overview.ts'
import { applyOwnerRules } from './owner-rule.ts'
import {
  finishDeletions,
  lockUnused,
  removeLastPicture,
  removeResults,
  removeSource,
} from './remove.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** In one minute; the rest comes next. */
const AT_ONCE = 100
/** Above this much of the disk in use, each minute logs a warning, above the second an error. */
const FILLING = 0.8
const NEARLY_FULL = 0.95

/**
 * Announces and deletes what is kept for longer than the operator wants, deletes by the rules of
 * owners, and ends deletions that a crash cut off.
 * Harmless to repeat.
 */
export async function sweepStorage(ctx: Ctx): Promise<void> {
  const { keepSourcesDays, keepResultsDays } = ctx.settings
  await announceDeletions(ctx)
  if (keepSourcesDays !== null) await cancelUnreviewed(ctx, { keptDays: keepSourcesDays })
  if (keepSourcesDays !== null) await removeOldSources(ctx, keepSourcesDays)
  if (keepResultsDays !== null) await removeOldResults(ctx, keepResultsDays)
  await applyOwnerRules(ctx)
  await finishDeletions(ctx)
  await warnOfFullDisk(ctx)
}

/** Videos whose last edit is older: it was chosen, ordered and ended before, and announced. */
async function removeOldSources(ctx: Ctx, keptDays: number): Promise<void> {
  const before = daysAgo(ctx, keptDays)
  const old = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        inArray(uploadRequests.state, ['validated', 'failed']),
        eq(uploadRequests.purpose, 'media-job'),
        isNull(uploadRequests.sourceRemovedAt),
        isNull(uploadRequests.heldAt),
        lt(uploadRequests.uploadEndedAt, before),
        lte(uploadRequests.deletionToldAt, daysAgo(ctx, noticeDays(keptDays))),
        sql`not exists (
          select 1 from media_jobs j where j.upload_request_id = ${uploadRequests.id}
            and (${jobLastEditAt} >= least(${before}, ${uploadRequests.deletionToldAt}) or ${jobInUse})
        )`,
      ),
    )
    .orderBy(asc(uploadRequests.uploadEndedAt))
    .limit(AT_ONCE)
  for (const { id } of old)
    await inTransaction(ctx, async (ctx) => {
      const upload = await lockUpload(ctx, id)
      if (upload === undefined || upload.heldAt !== null) return
      // An edit that was chosen after the word to its owner makes that void.
      const told = upload.deletionToldAt ?? before
      if (!(await lockUnused(ctx, { upload, before: told < before ? told : before }))) return
      await removeSource(ctx, { upload, reason: 'retention' })
      await removeLastPicture(ctx, { upload, reason: 'retention' })
    })
}

/** Files of edits that were finished before, and announced. */
async function removeOldResults(ctx: Ctx, keptDays: number): Promise<void> {
  const old = await ctx.db
    .select({ task: mediaJobTasks, uploadId: mediaJobs.uploadRequestId })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(
      and(
        eq(mediaJobTasks.status, 'succeeded'),
        isNull(uploadRequests.heldAt),
        isNull(mediaJobTasks.filesRemovedAt),
        lt(mediaJobTasks.endedAt, daysAgo(ctx, keptDays)),
        lte(mediaJobTasks.deletionToldAt, daysAgo(ctx, noticeDays(keptDays))),
      ),
    )
    .orderBy(asc(mediaJobTasks.endedAt))
    .limit(AT_ONCE)
  for (const { task, uploadId } of old)
    await inTransaction(ctx, async (ctx) => {
      const upload = await lockUpload(ctx, uploadId)
      if (upload === undefined || upload.heldAt !== null) return
      await removeResults(ctx, { upload, task, reason: 'retention' })
      await removeLastPicture(ctx, { upload, reason: 'retention' })
    })
}

async function warnOfFullDisk(ctx: Pick<Ctx, 'store' | 'log'>): Promise<void> {
  const usedShare = await ctx.store.usedShare()
  if (usedShare === null || usedShare < FILLING) return
  const facts = { usedPercent: Math.floor(usedShare * 100) }
  if (usedShare < NEARLY_FULL) ctx.log.warn('storage/filling', facts)
  else ctx.log.error('storage/nearly-full', new Error('The disk is nearly full'), facts)
}

function daysAgo({ clock }: Pick<Ctx, 'clock'>, days: number): Date {
  return new Date(clock().getTime() - days * DAY_MS)
}
