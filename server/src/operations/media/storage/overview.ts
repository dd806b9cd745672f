import { eq, sql } from 'drizzle-orm'
import type { ReadCtx, UserCtx, WithUser } from '#server/context.ts'
import { users } from '#server/db/schema.ts'
import { readAssetRoom, type AssetRoom } from './asset-room.ts'
import { readDeletions, type StoredDeletion } from './deletions.ts'
import { goesAt, goesByRule } from './notice.ts'
import { plannedOf } from './limit.ts'
import { readStorageUsage } from './usage.ts'

/** A video of the user and what of it lies on the server. */
interface StoredVideo {
  readonly uploadRequestId: string
  readonly name: string
  /**
   * With what was made to choose its moments and review its faces. 0 when the video itself is not
   * there any more.
   */
  readonly sourceBytes: number
  readonly resultBytes: number
  readonly resultCount: number
  readonly uploadedAt: Date
  /** When the server deletes the video by itself; null when it does not. */
  readonly sourceGoesAt: Date | null
  /** When the server deletes the first of its edits by itself; null when it does not. */
  readonly resultsGoAt: Date | null
  /**
   * It is held, it is being checked, an order of it is being paid, or paid edits of it are not
   * finished:
   * nothing of it can be deleted.
   */
  readonly isInUse: boolean
}

/** What lies on the server of one account. */
export interface StorageOverview {
  readonly usedBytes: number
  readonly limitBytes: number
  /** Null: kept until their owner deletes them. */
  readonly keepSourcesDays: number | null
  readonly keepResultsDays: number | null
  /** The user's own rule. */
  readonly deleteSourcesAfterDays: number | null
  readonly mediaAssets: AssetRoom
  readonly deletions: readonly StoredDeletion[]
  readonly videoCount: number
  /** The largest first, 100 at most. */
  readonly videos: readonly StoredVideo[]
}

const SHOWN_AT_MOST = 100

/** Reads what the user's videos take, and when they go. */
export async function readStorage(ctx: UserCtx): Promise<StorageOverview> {
  const { accountStorageBytes, keepSourcesDays, keepResultsDays } = ctx.settings
  const { rows } = await readVideos(ctx)
  const rule = await readRule(ctx)
  return {
    usedBytes: plannedOf(await readStorageUsage(ctx)),
    limitBytes: accountStorageBytes,
    keepSourcesDays,
    keepResultsDays,
    deleteSourcesAfterDays: rule?.days ?? null,
    mediaAssets: await readAssetRoom(ctx),
    deletions: await readDeletions(ctx),
    videoCount: Number(rows[0]?.video_count ?? 0),
    videos: rows.map((row) => ({
      uploadRequestId: row.id,
      name: row.name,
      sourceBytes: Number(row.source_bytes),
      resultBytes: Number(row.result_bytes),
      resultCount: Number(row.result_count),
      uploadedAt: new Date(row.uploaded_at),
      sourceGoesAt: sourceGoesAt(ctx, row, rule),
      resultsGoAt:
        row.first_result_at === null || keepResultsDays === null
          ? null
          : goesAt(ctx, {
              since: new Date(row.first_result_at),
              toldAt: dateOf(row.first_told_at),
              keptDays: keepResultsDays,
            }),
      isInUse: row.is_in_use,
    })),
  }
}

interface Rule {
  readonly days: number
  readonly setAt: Date
}

async function readRule(ctx: Pick<ReadCtx, 'db'> & WithUser): Promise<Rule | null> {
  const [row] = await ctx.db
    .select({ days: users.deleteSourcesAfterDays, setAt: users.sourceRuleSetAt })
    .from(users)
    .where(eq(users.id, ctx.user.id))
  const { days = null, setAt = null } = row ?? {}
  return days === null || setAt === null ? null : { days, setAt }
}

/** By the operator's time or the owner's rule, which ever is over first. */
function sourceGoesAt(ctx: UserCtx, row: Row, rule: Rule | null): Date | null {
  const { keepSourcesDays } = ctx.settings
  if (Number(row.source_bytes) === 0) return null
  const since = new Date(row.last_edit_at)
  const ends = [
    ...(keepSourcesDays === null
      ? []
      : [goesAt(ctx, { since, toldAt: toldSince(row), keptDays: keepSourcesDays })]),
    ...(rule === null || !row.has_edits || row.is_unpaid ? [] : [goesByRule({ since, ...rule })]),
  ].map((date) => date.getTime())
  return ends.length === 0 ? null : new Date(Math.min(...ends))
}

interface Row extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly source_bytes: string
  readonly result_bytes: string
  readonly result_count: string
  readonly uploaded_at: string
  readonly last_edit_at: string
  readonly first_result_at: string | null
  readonly source_told_at: string | null
  /** When the first of its edits was announced. */
  readonly first_told_at: string | null
  readonly is_in_use: boolean
  readonly has_edits: boolean
  readonly is_unpaid: boolean
  readonly video_count: string
}

async function readVideos(ctx: Pick<ReadCtx, 'db'> & WithUser) {
  return await ctx.db.execute<Row>(sql`
    with video as (
      select u.id, u.client_filename as name,
        coalesce(u.upload_ended_at, u.created_at) as uploaded_at,
        case when u.source_removed_at is null then u.size_bytes + u.moment_video_bytes + coalesce((
          select f.size_bytes from face_findings f where f.upload_request_id = u.id
        ), 0) else 0 end as source_bytes,
        greatest(
          coalesce(u.upload_ended_at, u.created_at), job.last_edit_at
        ) as last_edit_at,
        u.held_at is not null or u.state = 'completed' or coalesce(job.is_in_use, false)
          as is_in_use,
        coalesce(result.bytes, 0) as result_bytes, coalesce(result.files, 0) as result_count,
        result.first_at as first_result_at, u.deletion_told_at as source_told_at,
        result.first_told_at, coalesce(job.has_edits, false) as has_edits,
        coalesce(job.is_unpaid, false) as is_unpaid
      from upload_requests u
      left join lateral (
        select max(${jobLastEditAt}) as last_edit_at,
          bool_or(${jobInUse}) as is_in_use, bool_or(${jobUnpaid}) as is_unpaid,
          bool_or(exists (
            select 1 from media_job_tasks t where t.media_job_id = j.id and t.status = 'succeeded'
          )) as has_edits
        from media_jobs j where j.upload_request_id = u.id
      ) job on true
      left join lateral (
        select sum(o.size_bytes) as bytes, count(*) as files, min(t.ended_at) as first_at,
          min(t.deletion_told_at) as first_told_at
        from media_jobs j join media_job_tasks t on t.media_job_id = j.id
        join task_outputs o on o.task_id = t.id
        where j.upload_request_id = u.id and o.object_key is not null
      ) result on true
      where u.user_id = ${ctx.user.id} and u.purpose = 'media-job'
        and u.state in ('completed', 'validated', 'failed')
    )
    select *, count(*) over () as video_count from video
    where source_bytes + result_bytes > 0
    order by source_bytes + result_bytes desc, id limit ${SHOWN_AT_MOST}`)
}

/**
 * Of a job `j`, whether its order is being paid or paid edits are not finished: its files must
 * stay. Without payments an order is paid when it is placed.
 */
export const jobInUse = sql`(
  (j.workflow_started_at is not null and j.workflow_ended_at is null)
  or (j.workflow_started_at is null and exists (
    select 1 from orders o where o.media_job_id = j.id and (
      o.status = 'paid'
      or (o.status = 'open' and (
        (select sum(w.coin_amount) from wallet_transactions w where w.order_id = o.id) < 0
        or exists (
          select 1 from checkout_sessions c where c.order_id = o.id and c.settled_at is null
        )
      ))
    )
  ))
)`

/** Of a job `j`, whether its order may still be paid. */
export const jobUnpaid = sql`exists (
  select 1 from orders o where o.media_job_id = j.id and o.status = 'open'
)`

/**
 * Of a job `j`, when edits were last chosen, ordered or finished. Edits that are chosen again
 * before they are paid are new tasks of the same job.
 */
export const jobLastEditAt = sql`greatest(
  j.created_at, j.workflow_ended_at,
  (select max(t.created_at) from media_job_tasks t where t.media_job_id = j.id),
  (select max(o.created_at) from orders o where o.media_job_id = j.id)
)`

/** When the deletion of the video was announced; null when it was not since its last edit. */
function toldSince(row: Row): Date | null {
  const told = dateOf(row.source_told_at)
  return told !== null && told >= new Date(row.last_edit_at) ? told : null
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
