/**
 * The word to creators before the server deletes files of theirs by itself.
 *
 * [Note: announced deletions] Files are announced by mail some days before they go, and go no
 * sooner, also when the operator shortens the time for which they are kept. The mark that a file
 * was announced and the row of the mail are written in one transaction, so that a crash loses none
 * and repeats none. One mail tells of all that goes within a week.
 */
import { eq, sql, type SQL } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { users } from '#server/db/schema.ts'
import { goingFilesMail } from '#server/mail/storage-mail.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { goesAt, noticeDays } from '#server/operations/media/storage/notice.ts'
import { jobInUse, jobLastEditAt } from '#server/operations/media/storage/overview.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** What goes within so many days after the first is told in the same mail. */
const BATCH_DAYS = 7
/** Accounts in one minute; the rest comes next. */
const AT_ONCE = 100

/** Tells the owners of files that go soon. Harmless to repeat. */
export async function announceDeletions(ctx: Ctx): Promise<void> {
  const { keepSourcesDays, keepResultsDays } = ctx.settings
  if (keepSourcesDays === null && keepResultsDays === null) return
  const { rows } = await ctx.db.execute<{ user_id: string }>(sql`
    select distinct user_id from (
      (select u.user_id from upload_requests u where ${sourceGoes(ctx, 0)} limit ${AT_ONCE})
      union all
      (select j.user_id from media_job_tasks t join media_jobs j on j.id = t.media_job_id
        where ${resultsGo(ctx, 0)} limit ${AT_ONCE})
    ) going`)
  for (const { user_id: userId } of rows)
    await inTransaction(ctx, async (ctx) => await announceTo(ctx, userId))
}

async function announceTo(ctx: TxCtx, userId: string): Promise<void> {
  const { keepSourcesDays, keepResultsDays } = ctx.settings
  const now = ctx.clock()
  const sources = await ctx.db.execute<{ since: string }>(sql`
    update upload_requests u set deletion_told_at = ${now.toISOString()}::timestamptz
    where u.user_id = ${userId} and ${sourceGoes(ctx, BATCH_DAYS)}
    returning greatest(u.upload_ended_at, (
      select max(${jobLastEditAt}) from media_jobs j where j.upload_request_id = u.id
    )) as since`)
  const results = await ctx.db.execute<{ since: string; has_files: boolean }>(sql`
    update media_job_tasks t set deletion_told_at = ${now.toISOString()}::timestamptz
    from media_jobs j
    where j.id = t.media_job_id and j.user_id = ${userId} and ${resultsGo(ctx, BATCH_DAYS)}
    returning t.ended_at as since, exists (
      select 1 from task_outputs o where o.task_id = t.id and o.object_key is not null
    ) as has_files`)
  const going = (rows: readonly { since: string }[], keptDays: number | null) =>
    rows.map(({ since }) =>
      goesAt(ctx, { since: new Date(since), toldAt: now, keptDays: keptDays ?? 0 }).getTime(),
    )
  const videos = going(sources.rows, keepSourcesDays)
  const edits = going(
    results.rows.filter((row) => row.has_files),
    keepResultsDays,
  )
  if (videos.length + edits.length === 0) return
  const [user] = await ctx.db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (user === undefined || user.deletedAt !== null) return
  await queueMail(
    ctx,
    goingFilesMail({
      to: user.email,
      videos: videos.length,
      edits: edits.length,
      firstGoesAt: new Date(Math.min(...videos, ...edits)),
      libraryUrl: new URL('/edits', ctx.settings.publicOrigin).href,
    }),
  )
}

/** Of an upload `u`: its video goes within the time of notice and `moreDays`, untold. */
function sourceGoes(ctx: Pick<Ctx, 'clock' | 'settings'>, moreDays: number): SQL {
  const { keepSourcesDays } = ctx.settings
  if (keepSourcesDays === null) return sql`false`
  const before = dueBefore(ctx, keepSourcesDays, moreDays)
  return sql`(
    u.state in ('validated', 'failed') and u.purpose = 'media-job' and u.source_removed_at is null
    and u.held_at is null and u.upload_ended_at < ${before} and not exists (
      select 1 from media_jobs j where j.upload_request_id = u.id
        and (${jobLastEditAt} >= ${before} or ${jobInUse})
    ) and (u.deletion_told_at is null or exists (
      select 1 from media_jobs j where j.upload_request_id = u.id
        and ${jobLastEditAt} >= u.deletion_told_at
    ))
  )`
}

/** Of a task `t` of a job `j`, as `sourceGoes`. */
function resultsGo(ctx: Pick<Ctx, 'clock' | 'settings'>, moreDays: number): SQL {
  const { keepResultsDays } = ctx.settings
  if (keepResultsDays === null) return sql`false`
  return sql`(
    t.status = 'succeeded' and t.files_removed_at is null and t.deletion_told_at is null
    and not exists (
      select 1 from upload_requests h where h.id = j.upload_request_id and h.held_at is not null
    ) and t.ended_at < ${dueBefore(ctx, keepResultsDays, moreDays)}
  )`
}

function dueBefore({ clock }: Pick<Ctx, 'clock'>, keptDays: number, moreDays: number): SQL {
  const days = keptDays - noticeDays(keptDays) - moreDays
  return sql`${new Date(clock().getTime() - days * DAY_MS).toISOString()}::timestamptz`
}
