/**
 * The rule that creators set for their own videos.
 *
 * [Note: owner's rule] A video goes so many days after the last of its edits was chosen, ordered or
 * finished. One of which no edit was made stays, and so does one with an order that may yet be paid
 * or made, a review, or a hold. Nothing goes within a day after the rule was set or changed, so
 * that a slip can be taken back. No mail comes before: the owner has asked for it, and the storage
 * page names the day.
 */
import { and, eq, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { uploadRequests, users } from '#server/db/schema.ts'
import { RULE_REST_MS } from '#server/operations/media/storage/notice.ts'
import { jobInUse, jobLastEditAt, jobUnpaid } from '#server/operations/media/storage/overview.ts'
import { lockUnused, removeLastPicture, removeSource } from './remove.ts'

/** In one minute; the rest comes next. */
const AT_ONCE = 100

/** Deletes the videos whose time by their owner's rule is over. Harmless to repeat. */
export async function applyOwnerRules(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .select({ id: uploadRequests.id })
    .from(users)
    .innerJoin(uploadRequests, eq(uploadRequests.userId, users.id))
    .where(isDue(ctx))
    .limit(AT_ONCE)
  for (const { id } of due)
    await inTransaction(ctx, async (ctx) => {
      const [upload] = await ctx.db
        .select()
        .from(uploadRequests)
        .where(eq(uploadRequests.id, id))
        .for('update')
      if (upload === undefined || !(await lockUnused(ctx, { upload }))) return
      // Again under the locks: an edit may have been ordered, or the rule taken back.
      const [still] = await ctx.db
        .select({ id: uploadRequests.id })
        .from(users)
        .innerJoin(uploadRequests, eq(uploadRequests.userId, users.id))
        .where(and(eq(uploadRequests.id, id), isDue(ctx)))
      if (still === undefined) return
      await removeSource(ctx, { upload, reason: 'rule' })
      await removeLastPicture(ctx, { upload, reason: 'rule' })
    })
}

function isDue({ clock }: Pick<Ctx, 'clock'>): SQL | undefined {
  const now = clock()
  const before = sql`${now.toISOString()}::timestamptz - make_interval(days => ${users.deleteSourcesAfterDays})`
  return and(
    isNotNull(users.deleteSourcesAfterDays),
    lte(users.sourceRuleSetAt, new Date(now.getTime() - RULE_REST_MS)),
    eq(uploadRequests.state, 'validated'),
    eq(uploadRequests.purpose, 'media-job'),
    sql`${uploadRequests.sourceRemovedAt} is null and ${uploadRequests.heldAt} is null`,
    sql`exists (
      select 1 from media_jobs j join media_job_tasks t on t.media_job_id = j.id
      where j.upload_request_id = ${uploadRequests.id} and t.status = 'succeeded'
    )`,
    sql`not exists (
      select 1 from media_jobs j where j.upload_request_id = ${uploadRequests.id}
        and (${jobLastEditAt} >= ${before} or ${jobInUse} or ${jobUnpaid})
    )`,
  )
}
