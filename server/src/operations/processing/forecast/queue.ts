import { sql } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
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
    running: running.map(({ row, edit }) => ({ ...edit, expectedS: leftS(row, edit, now) })),
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
