import { sql } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
import { QUICK_S } from '#server/budgets.ts'
import type { Ctx } from '#server/context.ts'
import type { TaskRow } from '#server/db/rows.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { dueEdits } from '#server/operations/processing/slots/waiting.ts'
import { readSlots } from '#server/operations/core/workers.ts'
import { livingLeases } from '#server/operations/core/lease.ts'
import { shareOfAttempt } from '#server/operations/media/media-jobs/progress.ts'
import type { Queue, QueuedEdit } from './simulate.ts'
import type { Speeds } from '#server/operations/processing/speeds/speeds.ts'

/** Behind more edits than this nothing is said: it would take long to work out, and be wrong. */
const MOST_QUEUED = 500
/** Of an edit that has taken all the time that was expected, this much is still to come. */
const LEAST_LEFT = 0.05
/** Less progress than this says nothing about speed. */
const LEAST_PROGRESS = 0.1

/** All edits that are paid and not made, with the time that each is expected to take. */
export async function readQueue(
  ctx: Pick<Ctx, 'db' | 'clock' | 'settings'>,
  { speeds }: { readonly speeds: Speeds },
): Promise<Queue | null> {
  const { rows } = await ctx.db.execute<Row>(sql`
    with ${livingLeases}, work as (${dueEdits})
    select work.id, work.user_id, work.cost_s, work.ready_at, work.moments_of, t.preset_slug,
      t.started_at, t.progress_ratio, t.review_state, u.probe, u.id as upload_id,
      exists (select from face_findings f where f.upload_request_id = u.id) as is_face_searched,
      lease in (select name from living_leases) as is_leased
    from work join media_job_tasks t on t.id = work.id
      join media_jobs j on j.id = t.media_job_id
      join upload_requests u on u.id = coalesce(t.source_upload_id, j.upload_request_id)
    order by work.ready_at, work.cost_s, work.position limit ${MOST_QUEUED + 1}`)
  if (rows.length > MOST_QUEUED) return null
  const edits = rows.map((row) => ({ row, edit: editOf(row, speeds) }))
  const running = edits.filter(({ row }) => row.is_leased)
  const now = ctx.clock().getTime()
  return {
    waiting: edits.filter(({ row }) => !row.is_leased).map(({ edit }) => edit),
    running: [
      ...running.map(({ row, edit }) => ({ ...edit, expectedS: leftS(row, edit, now) })),
      ...(await readRunningSegments(ctx, { speeds })),
    ],
    lastServed: new Map(
      running.map(({ row }) => [row.user_id, new Date(row.started_at ?? 0).getTime()]),
    ),
    ...(await readSlots(ctx)),
  }
}

function editOf(row: Row, speeds: Speeds): QueuedEdit {
  const { id, user_id: userId, cost_s: costS, moments_of: searchedId, upload_id: uploadId } = row
  const recipe = findRecipe(row.preset_slug)
  const source = readStoredProbe(row.probe)
  const edit = { id, userId, costS, readyAt: new Date(row.ready_at) }
  if (recipe === undefined || source === null) return { ...edit, expectedS: costS }
  if (row.review_state === 'searching') {
    const facesS = row.is_face_searched ? 0 : speeds.guessFacesS(source)
    return { ...edit, expectedS: 0, search: { uploadId, of: 'faces', expectedS: facesS } }
  }
  const expectedS = speeds.guessS({ recipe, costS, source })
  if (searchedId === null) return { ...edit, expectedS }
  const searchS = speeds.searchS(source) ?? 0
  return { ...edit, expectedS, search: { uploadId, of: 'moments', expectedS: searchS } }
}

/**
 * The segments that take slots beside those of their edits. Those that wait are not counted: the
 * edits of others go before them.
 */
async function readRunningSegments(
  ctx: Pick<Ctx, 'db'>,
  { speeds }: { readonly speeds: Speeds },
): Promise<readonly QueuedEdit[]> {
  const { rows } = await ctx.db.execute<RunningSegment>(sql`
    with ${livingLeases}
    select s.id, j.user_id, j.workflow_started_at as ready_at, t.preset_slug, u.probe,
      s.progress_ratio, coalesce(t.cost_s, 0)::float8 / (
        select count(*) from task_segments each where each.task_id = s.task_id
      ) as cost_s
    from task_segments s join media_job_tasks t on t.id = s.task_id
      join media_jobs j on j.id = t.media_job_id
      join upload_requests u on u.id = j.upload_request_id
    where s.state = 'started' and s.has_slot
      and 'segment:' || s.id in (select name from living_leases)`)
  return rows.map((row) => {
    const [recipe, source] = [findRecipe(row.preset_slug), readStoredProbe(row.probe)]
    const wholeS =
      recipe === undefined || source === null
        ? row.cost_s
        : speeds.guessS({ recipe, costS: row.cost_s, source })
    return {
      id: row.id,
      userId: row.user_id,
      // It takes a slot for long work.
      costS: QUICK_S + 1,
      readyAt: new Date(row.ready_at),
      expectedS: wholeS * (1 - row.progress_ratio),
    }
  })
}

type RunningSegment = Pick<
  Row,
  'id' | 'user_id' | 'cost_s' | 'ready_at' | 'preset_slug' | 'progress_ratio' | 'probe'
> &
  Record<string, unknown>

/** What is left of an edit that is made, by its own progress as soon as that says something. */
function leftS(row: Row, edit: QueuedEdit, now: number): number {
  const expectedS = edit.expectedS + (edit.search?.expectedS ?? 0)
  if (row.started_at === null) return expectedS
  const passedS = Math.max(0, now - new Date(row.started_at).getTime()) / 1000
  const share = shareOfAttempt({
    reviewState: row.review_state,
    progressRatio: row.progress_ratio,
  })
  const wholeS = share >= LEAST_PROGRESS ? passedS / share : expectedS
  return Math.max(wholeS * LEAST_LEFT, wholeS - passedS)
}

interface Row extends Record<string, unknown> {
  readonly id: string
  readonly user_id: string
  readonly cost_s: number
  readonly ready_at: Date | string
  readonly moments_of: string | null
  readonly preset_slug: string
  readonly started_at: Date | string | null
  readonly progress_ratio: number
  readonly review_state: TaskRow['reviewState']
  readonly upload_id: string
  readonly is_face_searched: boolean
  readonly probe: unknown
  readonly is_leased: boolean
}
