import { and, asc, eq, isNull } from 'drizzle-orm'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import { namesMoments } from '#recipes/moment-choice.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import { holdAll, stretchesRead } from '#recipes/stretches-read.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { AssetSource, SourceProbe } from '#recipes/types.ts'
import type { TxCtx } from '#server/context.ts'
import type { JobRow, TaskRow, UploadRow } from '#server/db/rows.ts'
import { mediaJobTasks, presets, uploadRequests } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { readAssetSources } from '#server/operations/media/media-assets/sources.ts'
import { unfitness } from '#server/operations/media/media-jobs/refuse-unfit.ts'
import { presetPrices } from '#server/operations/core/presets/stored.ts'
import { estimateCostS } from '#server/operations/media/media-jobs/cost.ts'
import { enqueueTask } from './enqueue-task.ts'
import { hasChosenSound } from '#server/operations/media/excerpts/sound.ts'
import { readStretches } from '#server/operations/media/excerpts/stretches.ts'

/**
 * Begins the edits of a locked, fully paid job that an excerpt of its video is enough for; all
 * others wait for the whole. An edit that was begun is not begun again.
 */
export async function startFromExcerpt(
  ctx: TxCtx,
  { job }: { readonly job: JobRow },
): Promise<void> {
  const excerpts = await ctx.db
    .select()
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.excerptOf, job.uploadRequestId),
        eq(uploadRequests.purpose, 'excerpt'),
        eq(uploadRequests.state, 'validated'),
      ),
    )
    .orderBy(asc(uploadRequests.createdAt))
  const [whole] = await ctx.db
    .select({ chosenSound: uploadRequests.chosenSound })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (excerpts.length === 0 || whole === undefined) return
  for (const task of await readUnbegun(ctx, job))
    for (const excerpt of excerpts) if (await start(ctx, { task, excerpt, whole })) break
}

/** The edits of a job that neither its video nor an excerpt has begun, in order. */
export async function readUnbegun(
  ctx: Pick<TxCtx, 'db'>,
  job: Pick<JobRow, 'id'>,
): Promise<readonly TaskRow[]> {
  return await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(
      and(
        eq(mediaJobTasks.mediaJobId, job.id),
        eq(mediaJobTasks.status, 'created'),
        isNull(mediaJobTasks.sourceUploadId),
      ),
    )
    .orderBy(asc(mediaJobTasks.position))
}

interface Start {
  readonly task: TaskRow
  readonly excerpt: UploadRow
  readonly whole: Pick<UploadRow, 'chosenSound'>
}

async function start(ctx: TxCtx, { task, excerpt, whole }: Start): Promise<boolean> {
  const source = readStoredProbe(excerpt.probe)
  const recipe = findRecipe(task.presetSlug)
  if (source === null || recipe === undefined || !hasChosenSound(source, whole)) return false
  const ids = recipe.assetIds(task.payload)
  const stored = await readAssetSources(ctx, { ids, userId: excerpt.userId })
  const assets = stored.map(({ asset }) => asset)
  if (!(await isEnough(ctx, { task, excerpt, source, recipe, assets }))) return false
  const costS = estimateCostS(recipe, task.payload, source, assets)
  await ctx.db
    .update(mediaJobTasks)
    .set({ sourceUploadId: excerpt.id, costS })
    .where(eq(mediaJobTasks.id, task.id))
  await enqueueTask(ctx, { taskId: task.id })
  return true
}

interface Fit extends Omit<Start, 'whole'> {
  readonly source: SourceProbe
  readonly recipe: Recipe
  readonly assets: readonly AssetSource[]
}

/**
 * Whether an edit reads nothing of the video but what the excerpt holds: its moments were chosen,
 * it covers no faces, and its price follows no length, which only the whole tells.
 */
async function isEnough(
  ctx: TxCtx,
  { task, excerpt, source, recipe, assets }: Fit,
): Promise<boolean> {
  const { presetSlug: slug, payload } = task
  if (recipe.momentRule === undefined || !namesMoments(payload) || isReviewed(slug)) return false
  if (recipe.musicTrackIds(payload).length > 0 || unfitness(task, source.durationMs) !== null)
    return false
  const [preset] = await ctx.db
    .select({ pricing: presets.pricingStrategies })
    .from(presets)
    .where(eq(presets.slug, slug))
  const prices = preset === undefined ? [] : presetPrices(ctx, preset.pricing)
  if (prices.some(({ pricingStrategySlug }) => pricingStrategySlug === 'usage-based')) return false
  const plan = recipe.plan(source, payload, { moments: [], assets, secret: SECRET_OF_NO_UPLOAD })
  const read = plan.ok ? stretchesRead(plan.value) : null
  return read !== null && holdAll(readStretches(excerpt), read)
}
