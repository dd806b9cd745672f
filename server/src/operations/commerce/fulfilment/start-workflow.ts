import { and, eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { TaskRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, orders, uploadRequests } from '#server/db/schema.ts'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { readUnbegun, startFromExcerpt } from './start-from-excerpt.ts'
import { readAssetSources } from '#server/operations/media/media-assets/sources.ts'
import { estimateCostS } from '#server/operations/media/media-jobs/cost.ts'
import { enqueueTask } from './enqueue-task.ts'
import { endWorkflowIfDone, failTask } from './task-ended.ts'
import { unfitness } from '#server/operations/media/media-jobs/refuse-unfit.ts'

/**
 * Starts the work of a job, once, when its order is fully paid and its upload validated. Before
 * that it starts the edits of a paid job that an excerpt of its video is enough for. The payment
 * and the validations call it inside their transactions: all hold the job's lock while they look at
 * the other's state, so the last of them always sees all.
 */
export async function startWorkflowIfReady(
  ctx: TxCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const [job] = await ctx.db
    .select()
    .from(mediaJobs)
    .where(eq(mediaJobs.id, mediaJobId))
    .for('update')
  if (job === undefined || job.workflowStartedAt !== null) return
  const [order] = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.mediaJobId, job.id), eq(orders.status, 'paid')))
  const [upload] = await ctx.db
    .select({
      state: uploadRequests.state,
      probe: uploadRequests.probe,
      heldAt: uploadRequests.heldAt,
    })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (order === undefined || upload === undefined || upload.heldAt !== null) return
  if (upload.state === 'open' || upload.state === 'completed')
    return await startFromExcerpt(ctx, { job })
  if (upload.state !== 'validated') return
  await ctx.db
    .update(mediaJobs)
    .set({ workflowStartedAt: ctx.clock() })
    .where(eq(mediaJobs.id, job.id))
  const source = readStoredProbe(upload.probe)
  for (const task of await readUnbegun(ctx, job)) {
    if (await failUnfit(ctx, { task, source })) continue
    if (isReviewed(task.presetSlug))
      await ctx.db
        .update(mediaJobTasks)
        .set({ reviewState: 'searching' })
        .where(eq(mediaJobTasks.id, task.id))
    await saveCost(ctx, { task, userId: job.userId, source })
    await enqueueTask(ctx, { taskId: task.id })
  }
}

/**
 * Gives an edit back that was paid for while the length of the video was not known, and that would
 * show all of it.
 */
async function failUnfit(
  ctx: TxCtx,
  { task, source }: { readonly task: TaskRow; readonly source: SourceProbe | null },
): Promise<boolean> {
  const message = unfitness(task, source?.durationMs ?? null)
  if (message === null) return false
  await failTask(ctx, { taskId: task.id, failure: { message, supportLog: null } })
  await endWorkflowIfDone(ctx, { mediaJobId: task.mediaJobId })
  return true
}

/** Stores what the edit will cost to make. One that nothing is known of counts as long. */
async function saveCost(
  ctx: TxCtx,
  { task, userId, source }: { task: TaskRow; userId: string; source: SourceProbe | null },
): Promise<void> {
  const recipe = findRecipe(task.presetSlug)
  if (recipe === undefined || source === null) return
  const ids = recipe.assetIds(task.payload)
  const assets = (await readAssetSources(ctx, { ids, userId })).map(({ asset }) => asset)
  await ctx.db
    .update(mediaJobTasks)
    .set({ costS: estimateCostS(recipe, task.payload, source, assets) })
    .where(eq(mediaJobTasks.id, task.id))
}
