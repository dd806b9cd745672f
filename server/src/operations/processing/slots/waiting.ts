import { sql, type SQL } from 'drizzle-orm'
import { recipes } from '#recipes/presets.ts'
import { QUICK_S } from '#server/budgets.ts'
import type { ReadCtx } from '#server/context.ts'
import { livingLeases } from '#server/operations/core/lease.ts'
import type { SlotTask, SlotView } from './choose.ts'

/**
 * Reading a whole file twice, from a disk that gives this much, and probing it: what a check costs.
 */
const CHECK_BYTES_PER_S = 50_000_000

const SEARCHING_SLUGS = Object.values(recipes)
  .filter(({ usesMoments }) => usesMoments)
  .map(({ slug }) => slug)

const wantsMoments = sql`(
  t.source_upload_id is null and u.moments is null and t.preset_slug in ${SEARCHING_SLUGS}
)`

/**
 * Edits that are paid, whose video or excerpt is checked, that have not ended and wait neither for
 * their owner nor for the verdict on a report; one that was begun before it goes on. `searched_id`
 * is the upload in which they would look for moments or faces first; one of them looks, for all.
 */
export const dueEdits = sql`
  select 'task:' || t.id as lease, t.id, j.user_id, t.position,
    coalesce(t.cost_s, ${QUICK_S + 1}) as cost_s,
    coalesce(j.workflow_started_at, e.metadata_processed_at) as ready_at,
    coalesce(e.id, u.id) as upload_id,
    case when t.review_state = 'searching' or ${wantsMoments} then u.id end as searched_id,
    case when ${wantsMoments} then u.id end as moments_of
  from media_jobs j join media_job_tasks t on t.media_job_id = j.id
    join upload_requests u on u.id = j.upload_request_id
    left join upload_requests e on e.id = t.source_upload_id
  where t.id in (
      select of.id from media_jobs begun join media_job_tasks of on of.media_job_id = begun.id
      where begun.workflow_started_at is not null and begun.workflow_ended_at is null
      union all
      select early.id from media_job_tasks early where early.source_upload_id is not null
        and early.status in ('created', 'started')
    )
    and t.status in ('created', 'started') and t.review_state is distinct from 'waiting'
    and (u.held_at is null or ${isLeased(sql`'task:' || t.id`)})`

/**
 * Segments of edits that are made just now, but those that the worker of the edit itself makes, in
 * the edit's slot. Each takes a slot for long work, so that those for quick edits stay free.
 */
const dueSegments = sql`
  select 'segment:' || s.id as lease, s.id, j.user_id, s.n as position,
    ${QUICK_S + 1}::integer as cost_s, j.workflow_started_at as ready_at, u.id as upload_id,
    null::uuid as searched_id, null::uuid as moments_of
  from task_segments s join media_job_tasks t on t.id = s.task_id
    join media_jobs j on j.id = t.media_job_id
    join upload_requests u on u.id = j.upload_request_id and u.held_at is null
  where s.state in ('waiting', 'started') and t.status = 'started' and (s.has_slot
    or not ${isLeased(sql`'segment:' || s.id`)})`

/** Complete uploads that are not checked. */
const checks = sql`
  select 'check:' || u.id as lease, u.id, u.user_id, 0 as position,
    ceil(u.size_bytes / ${CHECK_BYTES_PER_S}::double precision)::integer as cost_s,
    coalesce(u.upload_ended_at, u.created_at) as ready_at, u.id as upload_id,
    null::uuid as searched_id
  from upload_requests u where u.state = 'completed' and u.held_at is null`

const KINDS = { edits: sql`${dueEdits} union all ${dueSegments}`, checks } as const
export type SlotKind = keyof typeof KINDS

interface WhatIsKnown {
  /** Comes last of its account. */
  readonly resting: readonly string[]
  /** Counts as long, whatever it was estimated to cost. */
  readonly slow?: readonly string[]
  /** Uploads of which this process has a copy that others would have to fetch. */
  readonly copied?: readonly string[]
}

/**
 * The work of a kind that runs, and of each account the first that waits, quick and long; of edits
 * that would look for moments in the same video, all but one are held until it has found them. An
 * account's work on what was copied here comes before its older work, so that one process makes
 * most edits of a video and fetches it alone; whose turn it is among accounts does not depend on
 * that. One query however much waits; whether work runs is known by its lease, so that work of a
 * process that died waits again.
 */
export async function readSlotWork(
  ctx: Pick<ReadCtx, 'db'>,
  { kind, resting, slow = [], copied = [] }: { readonly kind: SlotKind } & WhatIsKnown,
): Promise<Pick<SlotView, 'waiting' | 'running'>> {
  const { rows } = await ctx.db.execute<Row>(sql`
    with ${livingLeases}, stored as (${KINDS[kind]}),
    work as (
      select lease, id, user_id, position, ready_at, searched_id,
        ${isOneOf(copied, sql`upload_id`)} as is_copied,
        case when ${isOneOf(slow)} then greatest(cost_s, ${QUICK_S + 1}) else cost_s end as cost_s
      from stored
    ),
    seen as (
      select *, lease in (select name from living_leases) as is_leased,
        ${isOneOf(resting)} as is_resting
      from work
    ),
    held as (
      select *, searched_id is not null and (
        bool_or(is_leased) over (partition by searched_id)
        or row_number() over (
          partition by searched_id
          order by is_resting, cost_s > ${QUICK_S}, ready_at, cost_s, position, id
        ) > 1
      ) as is_held
      from seen
    ),
    placed as (
      select *, row_number() over (
        partition by user_id, is_leased, cost_s > ${QUICK_S}
        order by is_resting or is_held, is_resting, is_copied desc, ready_at, cost_s, position
      ) as place
      from held
    )
    select lease, id, user_id, cost_s, ready_at, is_leased, is_held from placed
    where is_leased or place = 1`)
  const all = rows.map((row) => ({ isLeased: row.is_leased, task: taskOf(row) }))
  return {
    waiting: all.filter(({ isLeased }) => !isLeased).map(({ task }) => task),
    running: all.filter(({ isLeased }) => isLeased).map(({ task }) => task),
  }
}

/** Ids of all work of a kind that waits. */
export async function readWaitingIds(
  ctx: Pick<ReadCtx, 'db'>,
  { kind }: { readonly kind: SlotKind },
): Promise<string[]> {
  const { rows } = await ctx.db.execute<{ id: string }>(sql`
    with ${livingLeases}, work as (${KINDS[kind]})
    select id from work
    where lease not in (select name from living_leases)
    order by ready_at, position`)
  return rows.map(({ id }) => id)
}

/** Estimated processor seconds of all work of a kind that waits. */
export async function readWaitingSeconds(
  ctx: Pick<ReadCtx, 'db'>,
  { kind }: { readonly kind: SlotKind },
): Promise<number> {
  const { rows } = await ctx.db.execute<{ seconds: number }>(sql`
    with ${livingLeases}, work as (${KINDS[kind]})
    select coalesce(sum(cost_s), 0)::float8 as seconds from work
    where lease not in (select name from living_leases)`)
  return rows[0]?.seconds ?? 0
}

/**
 * What paid edits there are that wait or are made, as a search ahead of one of them has to know:
 * `none`; `for-it` where one would look for moments in this very upload; or `others`.
 */
export async function readPaidWork(
  ctx: Pick<ReadCtx, 'db'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<'none' | 'for-it' | 'others'> {
  const { rows } = await ctx.db.execute<{ for_it: boolean | null }>(sql`
    with work as (${KINDS.edits})
    select bool_or(moments_of is not distinct from ${uploadRequestId}::uuid) as for_it from work`)
  const forIt = rows[0]?.for_it ?? null
  if (forIt === null) return 'none'
  return forIt ? 'for-it' : 'others'
}

interface Row extends Record<string, unknown> {
  readonly lease: string
  readonly id: string
  readonly user_id: string
  readonly cost_s: number
  readonly ready_at: Date | string
  readonly is_leased: boolean
  readonly is_held: boolean
}

function taskOf({ lease, id, user_id, cost_s, ready_at, is_held }: Row): SlotTask {
  return {
    id,
    userId: user_id,
    costS: cost_s,
    readyAt: new Date(ready_at),
    isHeld: is_held,
    ...(lease.startsWith('segment:') ? { isSegment: true } : {}),
  }
}

/** Of one lease; where all are asked, `livingLeases` reads them once. */
function isLeased(name: SQL): SQL {
  return sql`exists (select from leases where name = ${name} and expires_at > now())`
}

function isOneOf(ids: readonly string[], id = sql`id`): SQL {
  return sql`${id} = any(array[${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}]::uuid[])`
}
