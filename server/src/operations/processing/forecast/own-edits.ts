import { eq } from 'drizzle-orm'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { UserCtx } from '#server/context.ts'
import type { JobRow, TaskRow, UploadRow } from '#server/db/rows.ts'
import { faceFindings } from '#server/db/schema.ts'
import { readStoredMoments } from '#server/media/stored-probe.ts'
import { readAssetSources } from '#server/operations/media/media-assets/sources.ts'
import { estimateCostS } from '#server/operations/media/media-jobs/cost.ts'
import type { QueuedEdit } from './simulate.ts'
import type { Speeds } from '#server/operations/processing/speeds/speeds.ts'

/** An open edit of a job, as the queue has it or would have it. */
export interface OwnEdit {
  /** What comes next of it; null while it waits for its owner. */
  readonly queued: QueuedEdit | null
  /** What its review lets begin; null where none comes. */
  readonly reviewed: QueuedEdit | null
  /** Whether it is known how long the search takes that a review needs. */
  readonly isSearchKnown: boolean
  /** The same of making it. */
  readonly isRenderKnown: boolean
}

interface Own {
  readonly job: JobRow
  readonly upload: UploadRow
  readonly source: SourceProbe
  readonly speeds: Speeds
}

interface OwnVideo extends Own {
  readonly areFacesFound: boolean
}

/** The edits of a job that have not ended, as `tasks` has them. */
export async function readOwnEdits(
  ctx: UserCtx,
  { tasks, ...own }: Own & { readonly tasks: readonly TaskRow[] },
): Promise<OwnEdit[]> {
  const found = await ctx.db
    .select({ foundAt: faceFindings.foundAt })
    .from(faceFindings)
    .where(eq(faceFindings.uploadRequestId, own.upload.id))
  const video = { ...own, areFacesFound: found.length > 0 }
  const edits: OwnEdit[] = []
  for (const task of tasks) edits.push(await ownEdit(ctx, task, video))
  return edits
}

async function ownEdit(ctx: UserCtx, task: TaskRow, video: OwnVideo): Promise<OwnEdit> {
  const { job, source, speeds } = video
  const recipe = findRecipe(task.presetSlug)
  const readyAt = job.workflowStartedAt ?? ctx.clock()
  const edit = { id: task.id, userId: job.userId, costS: task.costS ?? 1, readyAt }
  if (recipe === undefined)
    return withoutReview({ ...edit, expectedS: edit.costS }, { isRenderKnown: false })
  const costS = task.costS ?? (await costOf(ctx, { task, recipe, source }))
  const work = { recipe, costS, source }
  const render = { ...edit, costS, expectedS: speeds.guessS(work) }
  const isRenderKnown = speeds.renderS(work) !== null
  const before = task.reviewState ?? (isReviewed(task.presetSlug) ? 'searching' : 'done')
  if (before === 'done') return withMoments(render, { video, recipe, isRenderKnown })
  const reviewed = { ...render, id: `${task.id} reviewed` }
  if (before === 'waiting') return { queued: null, reviewed, isSearchKnown: true, isRenderKnown }
  const { areFacesFound, upload } = video
  const expectedS = areFacesFound ? 0 : speeds.guessFacesS(source)
  const search = { uploadId: upload.id, of: 'faces', expectedS } as const
  const queued = { ...edit, costS, expectedS: 0, search, afterReview: reviewed }
  const isSearchKnown = areFacesFound || speeds.facesS(source) !== null
  return { queued, reviewed, isSearchKnown, isRenderKnown }
}

function withMoments(
  render: QueuedEdit,
  {
    video: { upload, source, speeds },
    recipe,
    isRenderKnown,
  }: { readonly video: OwnVideo; readonly recipe: Recipe; readonly isRenderKnown: boolean },
): OwnEdit {
  if (!recipe.usesMoments || readStoredMoments(upload.moments) !== null)
    return withoutReview(render, { isRenderKnown })
  const searchS = speeds.searchS(source)
  const search = { uploadId: upload.id, of: 'moments', expectedS: searchS ?? 0 } as const
  return withoutReview({ ...render, search }, { isRenderKnown: isRenderKnown && searchS !== null })
}

function withoutReview(
  queued: QueuedEdit,
  { isRenderKnown }: Pick<OwnEdit, 'isRenderKnown'>,
): OwnEdit {
  return { queued, reviewed: null, isSearchKnown: true, isRenderKnown }
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
