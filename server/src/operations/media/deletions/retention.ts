import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { lockUpload } from '#server/operations/media/uploads/find.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { noticeDays } from '#server/operations/media/storage/notice.ts'
import { jobInUse, jobLastEditAt } from '#server/operations/media/storage/overview.ts'
import { lockUnused, removeLastPicture, removeResults, removeSource } from './remove.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** In one minute; the rest comes next. */
const AT_ONCE = 100
/** Removes videos whose last edit was chosen, ordered and ended before, and announced. */
export async function removeOldSources(
  ctx: Ctx,
  { keptDays }: { readonly keptDays: number },
): Promise<void> {
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

/** Removes files of edits that were finished before, and announced. */
export async function removeOldResults(
  ctx: Ctx,
  { keptDays }: { readonly keptDays: number },
): Promise<void> {
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

function daysAgo({ clock }: Pick<Ctx, 'clock'>, days: number): Date {
  return new Date(clock().getTime() - days * DAY_MS)
}
