import { eq } from 'drizzle-orm'
import { namesMoments } from '#recipes/moment-choice.ts'
import { withPlainNames } from '#recipes/plain-names.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { Recipe } from '#recipes/recipe.ts'
import { stretchesRead } from '#recipes/stretches-read.ts'
import type { Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { Ctx } from '#server/context.ts'
import type { NewOutput } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import type { FfmpegFailure } from '#server/media/run.ts'
import { checksumOf } from '#server/media/stored-archive.ts'
import { readStoredMoments } from '#server/media/stored-probe.ts'
import { learnRender, learnSearch } from '#server/operations/processing/speeds/speeds.ts'
import { isDiscreet } from '#server/operations/accounts/users/discreet.ts'
import { outlast } from '#server/object-store/outlast.ts'
import { dropSegments } from '#server/operations/processing/tasks/segments.ts'
import { searchName, type Lease } from '#server/operations/core/lease.ts'
import { storeMoments } from './search-ahead.ts'
import { attemptOutputsOf } from '#server/operations/media/storage/keys.ts'
import { beginsAt } from '#server/operations/media/media-jobs/progress.ts'
import { lendSource } from '#server/operations/media/uploads/lend-source.ts'
import { contextOf, renderGiven, withGiven, type Given, type Making } from './given.ts'
import { makeInSegments } from './in-segments.ts'

/**
 * Why an attempt gave no result: a sentence for the creator, raw facts for support, and whether
 * trying again can help.
 */
export interface RenderFailure {
  readonly code: 'render/plan' | 'render/ffmpeg' | 'render/output' | 'render/machine'
  readonly message: string
  readonly detail: string
  readonly canRetry: boolean
}

/** One attempt at a task: what makes it, its empty folder, its end and its listener. */
interface Attempt extends Making {
  readonly lease: Lease
  readonly onProgress: (ratio: number) => void
}

/** Share of the progress bar that the search for moments gets when it has to be made. */
const ANALYSIS_SHARE = 0.15
const CANNOT = 'This edit could not be made from this video.'

const TOO_MUCH =
  'This edit was stopped: it took far more computing than a video of this length and size may need. Please export the video again as MP4 with H.264, and order the edit for the new file.'

/**
 * Plans, renders and checks an edit and stores its files under names of this attempt. Rejects when
 * aborted or when the machine fails.
 */
export async function renderTaskOutputs(
  ctx: Ctx,
  attempt: Attempt,
): Promise<Result<readonly NewOutput[], RenderFailure>> {
  const made = await withGiven(ctx, attempt, async (given) => await renderFrom(ctx, attempt, given))
  return made ?? err(failure('render/plan', 'the upload has no probe'))
}

async function renderFrom(
  ctx: Ctx,
  attempt: Attempt,
  given: Given,
): Promise<Result<readonly NewOutput[], RenderFailure>> {
  const { task, upload, recipe } = attempt
  const { source } = given.material
  // An edit whose moments a person chose needs no search, but knows what an earlier one saw there.
  const searches = recipe.usesMoments && !namesMoments(task.payload)
  const stored = recipe.usesMoments ? readStoredMoments(upload.moments) : []
  const cached = stored ?? (searches ? null : [])
  const moments = cached ?? (await findMoments(ctx, attempt, given))
  const begunAt = ctx.clock().getTime()
  const from = Math.max(cached === null ? ANALYSIS_SHARE : 0, beginsAt(task))

  const context = await contextOf(ctx, attempt, given, moments)
  const plan = recipe.plan(source, task.payload, context)
  if (!plan.ok)
    return err({ ...failure('render/plan', plan.error.code), message: plan.error.message })
  const reported: Attempt = {
    ...attempt,
    onProgress: (ratio) => attempt.onProgress(from + ratio * (0.97 - from)),
  }
  const joined = await makeInSegments(ctx, reported, given, { plan: plan.value, context })
  if (joined !== null) {
    const outputs = await storeOutputs(ctx, attempt, await nameFiles(ctx, attempt, joined))
    if (outputs.ok) countMade(ctx, { recipe, source, begunAt })
    if (outputs.ok) return outputs
    ctx.log.warn('segments/not-joined', { taskId: task.id, detail: outputs.error.detail })
    await dropSegments(ctx, { taskId: task.id })
  }
  const named = await nameFiles(ctx, attempt, plan.value)
  // Passages read enough behind what they show; of other plans that is not known.
  const isOfPassages = recipe.usesMoments && task.tries === 0 && !ctx.copies.isHere
  const reads = isOfPassages ? stretchesRead(named) : null
  const how = { plan: named, reads } as const
  const rendered = await renderGiven(ctx, attempt, given, how, reported.onProgress)
  if (!rendered.ok) return err(orOfAll(reads !== null, failureOfRun(rendered.error)))
  const outputs = await storeOutputs(ctx, attempt, named)
  if (!outputs.ok) return err(orOfAll(reads !== null, outputs.error))
  countMade(ctx, { recipe, source, begunAt })
  await learnRender(ctx, { task, recipe, source, begunAt })
  return outputs
}

/** What fails of passages that were fetched is tried again with the whole video. */
function orOfAll(isOfPassages: boolean, failed: RenderFailure): RenderFailure {
  return { ...failed, canRetry: failed.canRetry || isOfPassages }
}

/** The plan with plain names of files, where the video's owner chose that. */
async function nameFiles(
  ctx: Ctx,
  { task, upload }: Attempt,
  plan: RecipePlan,
): Promise<RecipePlan> {
  if (!(await isDiscreet(ctx, { userId: upload.userId }))) return plan
  return withPlainNames(plan, { jobId: task.mediaJobId, edit: task.position + 1 })
}

/** For `/metrics`: what an edit of this preset takes here for each second of video. */
function countMade(
  { metrics, clock }: Pick<Ctx, 'metrics' | 'clock'>,
  {
    recipe: { slug: preset },
    source,
    begunAt,
  }: { readonly recipe: Recipe; readonly source: SourceProbe; readonly begunAt: number },
): void {
  metrics.count('onecut_edits_made_total', { preset })
  metrics.count('onecut_edit_media_seconds_total', { preset }, source.durationMs / 1000)
  metrics.count('onecut_edit_seconds_total', { preset }, (clock().getTime() - begunAt) / 1000)
}

/** Checks each file of the plan in the attempt's folder, then stores all of them, or none. */
async function storeOutputs(
  ctx: Ctx,
  { task, ffmpeg, folder, signal }: Attempt,
  plan: RecipePlan,
): Promise<Result<readonly NewOutput[], RenderFailure>> {
  const checked = await checkOutputs(ffmpeg, filesOf(plan, folder), { cwd: folder, signal })
  if (!checked.ok) return err(failure('render/output', checked.error))
  const rows: NewOutput[] = []
  for (const [position, { file, facts }] of checked.value.entries()) {
    const { name, buttonText, fileName, contentType } = file.output
    const objectKey = `${attemptOutputsOf(task)}/${position}-${name}`
    const crc32 = await checksumOf(file.path)
    await outlast(ctx.store, signal, async () => {
      await ctx.store.putFile(objectKey, file.path, contentType)
    })
    rows.push({
      id: ctx.newId(),
      taskId: task.id,
      position,
      kind: 'download-button',
      buttonText,
      fileName,
      contentType,
      ...facts,
      objectKey,
      crc32,
    })
  }
  return ok(rows)
}

/** A failure that trying again cannot help. */
function failure(code: RenderFailure['code'], detail: string): RenderFailure {
  return { code, message: CANNOT, detail, canRetry: false }
}

/**
 * What a run without a result means. A fault of the machine (killed, not started) or out of disk:
 * later it may work. ffmpeg's own refusal stays one, and so does the end of a limit.
 */
export function failureOfRun({ code, detail, fault }: FfmpegFailure): RenderFailure {
  if (code === 'media/timeout') return { ...failure('render/ffmpeg', detail), message: TOO_MUCH }
  const canRetry = fault !== null || /exit null|No space left|Cannot allocate memory/.test(detail)
  return { ...failure('render/ffmpeg', detail), canRetry }
}

/**
 * Looks for moments once for each upload: the first to ask looks, the others wait for its result.
 */
async function findMoments(
  ctx: Ctx,
  attempt: Attempt,
  { material: { source }, places }: Given,
): Promise<readonly Moment[]> {
  const { upload, folder, signal } = attempt
  const wanted = { upload, stretches: null, folder, signal }
  return await attempt.lease.alone(searchName(attempt.upload.id), attempt.signal, async () => {
    const [row] = await ctx.db
      .select({ moments: uploadRequests.moments })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, attempt.upload.id))
    const cached = readStoredMoments(row?.moments)
    if (cached !== null) return cached
    const begunAt = ctx.clock().getTime()
    const found = await lendSource(ctx, wanted, async (path) => {
      const video = { ...places, source: path }
      return await analyseMoments(attempt.ffmpeg, source, video, signal, (ratio) =>
        attempt.onProgress(ratio * ANALYSIS_SHARE),
      )
    })
    await learnSearch(ctx, { source, begunAt })
    await storeMoments(ctx, { upload: attempt.upload, moments: found })
    return found
  })
}
