import { and, asc, eq, inArray } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
import type { Recipe, SourceProbe } from '#recipes/types.ts'
import type { UserCtx } from '#server/context.ts'
import type { JobRow, TaskRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { readStoredMoments, readStoredProbe } from '#server/media/stored-probe.ts'
import { readAssetSources } from '#server/operations/media-assets/sources.ts'
import { estimateCostS } from '#server/operations/tasks/cost.ts'
import { awaitsReview } from '#server/operations/tasks/progress.ts'
import { refuseHeld } from '#server/operations/uploads/refuse-held.ts'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { notFound } from '#server/problems.ts'
import { readQueue } from './queue.ts'
import { simulateQueue, type QueuedEdit } from './simulate.ts'
import { readSpeeds, type Speeds } from './speeds.ts'

/** What can be said of a job before its end. */
export interface Forecast {
  /**
   * Until its edits are ready, from now, or from when its video has arrived. Null where nothing was
   * learned of one of them, where one waits for a person, and when it has ended.
   */
  readonly remainingMs: number | null
  /** Edits that begin before its first one; null without a queue to be in, as once it has ended. */
  readonly editsAhead: number | null
}

const NOTHING: Forecast = { remainingMs: null, editsAhead: null }

/**
 * When the edits of a job would be ready, paid or not, and how many go before. Refuses:
 * `media-jobs/not-found`, `uploads/held`.
 */
export async function forecastJob(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<Forecast> {
  const [found] = await ctx.db
    .select({ job: mediaJobs, upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, ctx.user.id)))
  if (found === undefined) throw notFound('media-jobs/not-found')
  refuseHeld(found.upload)
  const source = readStoredProbe(found.upload.probe)
  const tasks = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(
      and(eq(mediaJobTasks.mediaJobId, id), inArray(mediaJobTasks.status, ['created', 'started'])),
    )
    .orderBy(asc(mediaJobTasks.position))
  if (source === null || tasks.length === 0) return NOTHING
  const speeds = await readSpeeds(ctx)
  const queue = await readQueue(ctx, { speeds })
  if (queue === null) return NOTHING
  const isSearched = readStoredMoments(found.upload.moments) !== null
  const own = await readOwn(ctx, { job: found.job, tasks, source, isSearched, speeds })
  const queued = new Set([...queue.waiting, ...queue.running].map((edit) => edit.id))
  // Edits that wait for their owner are in no queue.
  const isPaid = found.job.workflowStartedAt !== null
  const coming = isPaid ? [] : own.edits
  const ids = new Set(tasks.map((task) => task.id).filter((id) => !isPaid || queued.has(id)))
  if (ids.size === 0) return NOTHING
  const played = simulateQueue({ ...queue, waiting: [...queue.waiting, ...coming] }, ids)
  if (played === null) return NOTHING
  return {
    remainingMs: own.isKnown ? Math.round(played.endS * 1000) : null,
    editsAhead: played.editsAhead,
  }
}

/** The edits of a job as the queue would have them, and whether their speed is known. */
async function readOwn(
  ctx: UserCtx,
  {
    job,
    tasks,
    source,
    isSearched,
    speeds,
  }: {
    readonly job: JobRow
    readonly tasks: readonly TaskRow[]
    readonly source: SourceProbe
    readonly isSearched: boolean
    readonly speeds: Speeds
  },
): Promise<{ readonly edits: readonly QueuedEdit[]; readonly isKnown: boolean }> {
  const readyAt = job.workflowStartedAt ?? ctx.clock()
  const searchS = isSearched ? 0 : speeds.searchS(source)
  const edits: QueuedEdit[] = []
  let isKnown = true
  for (const task of tasks) {
    const recipe = findRecipe(task.presetSlug)
    const waits = awaitsReview(task) || (isReviewed(task.presetSlug) && task.reviewState === null)
    if (recipe === undefined || waits) isKnown = false
    if (recipe === undefined) continue
    const costS = task.costS ?? (await costOf(ctx, { task, recipe, source }))
    const work = { recipe, costS, source }
    const searches = recipe.usesMoments && !isSearched
    isKnown &&= speeds.renderS(work) !== null && (!searches || searchS !== null)
    const edit = { id: task.id, userId: job.userId, costS, readyAt, expectedS: speeds.guessS(work) }
    const search = { id: job.uploadRequestId, expectedS: searchS ?? 0 }
    edits.push(searches ? { ...edit, search } : edit)
  }
  return { edits, isKnown }
}

async function costOf(
  ctx: UserCtx,
  {
    task,
    recipe,
    source,
  }: { readonly task: TaskRow; readonly recipe: Recipe; readonly source: SourceProbe },
): Promise<number> {
  const ids = recipe.assetIds(task.payload)
  const assets = await readAssetSources(ctx, { ids, userId: ctx.user.id })
  return estimateCostS(
    recipe,
    task.payload,
    source,
    assets.map(({ asset }) => asset),
  )
}
