import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq, lt } from 'drizzle-orm'
import { coverOf } from '#recipes/face-cover/cover.ts'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import type { Cover } from '#recipes/face-cover/types.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { cutPassage, PASSAGE, sampledRecipe, sampleStretch } from '#recipes/sample.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { stretchesRead } from '#recipes/stretches-read.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { SAMPLE_LIFE_MS, SAMPLE_REST_S, SAMPLE_YIELDS_MS } from '#server/budgets.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { SampleRow, UploadRow } from '#server/db/rows.ts'
import { samples, uploadRequests } from '#server/db/schema.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type RenderPlaces } from '#server/media/render-plan.ts'
import { readStoredMoments, readStoredProbe } from '#server/media/stored-probe.ts'
import { isUnavailable } from '#server/problems.ts'
import { sampleKeyOf } from '#server/operations/media/storage/keys.ts'
import { lendSource } from '#server/operations/media/uploads/lend-source.ts'
import { withProcessorTime } from '#server/operations/media/uploads/processor-time.ts'
import { withAssets } from '#server/operations/processing/rendering/given.ts'
import { failureOfRun } from '#server/operations/processing/rendering/render-outputs.ts'
import { readPaidWork } from '#server/operations/processing/slots/waiting.ts'
import { queueSample, readSample } from './ask.ts'

/** A message to make a sample; `signal` aborts when the worker stops. */
interface SampleWork {
  readonly sampleId: string
  readonly signal: AbortSignal
  readonly isLastAttempt: boolean
}

/** The wall time of one try: a passage takes some seconds, the search for its faces a minute. */
export const LONGEST_SAMPLE_S = 5 * 60

/** What a sample is made of, in its own folder. */
interface Making {
  readonly sample: SampleRow
  readonly upload: UploadRow
  readonly source: SourceProbe
  readonly ffmpeg: Ffmpeg
  readonly folder: string
  readonly signal: AbortSignal
}

/** Why there is no sample: a sentence for the creator, and facts for the log. */
interface NotMade {
  readonly message: string
  readonly detail: string
}

const CANNOT = 'The server could not make this preview. You can still order the edit.'

/**
 * Makes and stores a sample, after paid edits for a while and then beside them. Idempotent; does
 * nothing for a video that is deleted or held. Throws when the machine is at fault, so that the
 * queue tries again; after the last try the sample has failed.
 */
export async function makeSample(ctx: Ctx, work: SampleWork): Promise<void> {
  const { sampleId, signal, isLastAttempt } = work
  const sample = await readSample(ctx, { sampleId })
  if (sample?.state !== 'waiting') return
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, sample.uploadRequestId))
  const source = readStoredProbe(upload?.probe)
  if (upload === undefined || source === null || ctx.ffmpeg === null) return
  if (upload.sourceRemovedAt !== null || upload.heldAt !== null) return
  if (await isToYield(ctx, sample))
    return await inTransaction(ctx, async (ctx) => await queueSample(ctx, work, SAMPLE_REST_S))
  const folder = join(ctx.settings.scratchDir, `sample-${sample.id}-${ctx.newId()}`)
  await mkdir(folder, { recursive: true })
  try {
    const account = { userId: upload.userId, ffmpeg: ctx.ffmpeg }
    const made = await withProcessorTime(
      ctx,
      account,
      async (ffmpeg) => await make(ctx, { sample, upload, source, ffmpeg, folder, signal }),
    )
    if (made.ok) await publish(ctx, sample, { ...made.value, folder })
    else await fail(ctx, sample, made.error)
  } catch (error) {
    // A few tries end within seconds: the store may be away for longer.
    if (isUnavailable(error))
      return await inTransaction(ctx, async (ctx) => await queueSample(ctx, work, SAMPLE_REST_S))
    if (!isLastAttempt || signal.aborted) throw error
    await fail(ctx, sample, { message: CANNOT, detail: String(error) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function isToYield(ctx: Ctx, { createdAt, uploadRequestId }: SampleRow): Promise<boolean> {
  if (ctx.clock().getTime() - createdAt.getTime() > SAMPLE_YIELDS_MS) return false
  return (await readPaidWork(ctx, { uploadRequestId })) !== 'none'
}

interface Made {
  readonly stretch: Stretch
  /** The name of the file in the folder. */
  readonly after: string
}

async function make(ctx: Ctx, making: Making): Promise<Result<Made, NotMade>> {
  const { sample, upload, folder, signal } = making
  const recipe = sampledRecipe(sample.presetSlug)
  if (recipe === null) return err({ message: CANNOT, detail: 'no such recipe' })
  const named = { ids: recipe.assetIds(sample.payload), userId: upload.userId, folder, signal }
  return await withAssets(
    ctx,
    named,
    async ({ assets, assetPaths }) =>
      await makeFrom(ctx, making, { recipe, assets, places: { folder, assetPaths } }),
  )
}

type Given = Pick<Parameters<typeof renderPlan>[2], 'assets'> & {
  readonly recipe: NonNullable<ReturnType<typeof sampledRecipe>>
  /** All but the video, of which only the passage is read. */
  readonly places: Omit<RenderPlaces, 'source'>
}

/** The passage, and the edit of it by its own plan. */
async function makeFrom(
  ctx: Ctx,
  { sample, upload, source, ffmpeg, folder, signal }: Making,
  { recipe, assets, places }: Given,
): Promise<Result<Made, NotMade>> {
  const stretch = sampleStretch(recipe.slug, source, readStoredMoments(upload.moments) ?? [])
  const context = { availableFilters: ffmpeg.filters }
  const { plan, probe } = cutPassage(source, stretch, recipe, context)
  const film = { source, assets: [] }
  const wanted = { upload, stretches: stretchesRead(plan), folder, signal }
  const cut = await lendSource(
    ctx,
    wanted,
    async (path) =>
      await renderPlan(ffmpeg, plan, film, { ...places, source: path }, signal, ignore),
  )
  if (!cut.ok) return notMade(cut.error)
  const passage = { ...places, source: join(folder, PASSAGE) }
  const video = {
    path: passage.source,
    source: probe,
    folder,
    signal,
    allowance: ffmpeg.allowance,
    onProgress: ignore,
  }
  const faces = isReviewed(recipe.slug) ? await findFaces(ctx, video) : ok(undefined)
  if (!faces.ok) return faces
  const edit = recipe.plan(probe, sample.payload, {
    moments: [],
    assets,
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    // Never the upload's own: another voice, and what hides it cannot be learned from samples.
    secret: randomBytes(32).toString('hex'),
    ...(faces.value === undefined ? {} : { faces: faces.value }),
  })
  if (!edit.ok) return err({ message: edit.error.message, detail: edit.error.code })
  const material = { source: probe, assets }
  const rendered = await renderPlan(ffmpeg, edit.value, material, passage, signal, ignore)
  if (!rendered.ok) return notMade(rendered.error)
  const after = edit.value.outputs.find(({ kind }) => kind === 'video')?.name
  if (after === undefined) return err({ message: CANNOT, detail: 'no video comes of it' })
  return ok({ stretch, after })
}

/** All faces that are found in the passage are covered, as before a review. */
async function findFaces(
  ctx: Ctx,
  video: Parameters<NonNullable<Ctx['faces']>['find']>[0],
): Promise<Result<Cover, NotMade>> {
  if (ctx.faces === null) return err({ message: CANNOT, detail: 'no search for faces' })
  const found = await ctx.faces.find(video)
  return found.ok
    ? ok(coverOf(found.value, { uncovered: [], added: [], wholly: [] }))
    : notMade(found.error)
}

/** Throws where trying again may help. */
function notMade(error: Parameters<typeof failureOfRun>[0]): Result<never, NotMade> {
  const { canRetry, detail } = failureOfRun(error)
  if (canRetry) throw new Error(detail)
  return err({ message: CANNOT, detail })
}

/** Stores both videos, unless the sample went with its video meanwhile. */
async function publish(
  ctx: Ctx,
  sample: SampleRow,
  { stretch, after, folder }: Made & { readonly folder: string },
): Promise<void> {
  const files = { before: join(folder, PASSAGE), after: join(folder, after) }
  for (const side of ['before', 'after'] as const)
    await ctx.store.putFile(sampleKeyOf(sample, side), files[side], 'video/mp4')
  const { startMs, endMs } = stretch
  const isThere = await settle(ctx, sample, {
    state: 'ready',
    startMs,
    durationMs: endMs - startMs,
  })
  if (!isThere) await removeFiles(ctx, sample)
}

async function fail(ctx: Ctx, sample: SampleRow, { message, detail }: NotMade): Promise<void> {
  ctx.log.warn('sample-failed', { sampleId: sample.id, preset: sample.presetSlug, detail })
  await settle(ctx, sample, { state: 'failed', message })
}

/** False where the row is gone. */
async function settle(
  ctx: Pick<Ctx, 'db'>,
  { id }: SampleRow,
  change: Partial<SampleRow>,
): Promise<boolean> {
  const changed = await ctx.db
    .update(samples)
    .set(change)
    .where(eq(samples.id, id))
    .returning({ id: samples.id })
  return changed.length > 0
}

async function removeFiles(ctx: Pick<Ctx, 'store'>, sample: SampleRow): Promise<void> {
  for (const side of ['before', 'after'] as const) await ctx.store.remove(sampleKeyOf(sample, side))
}

const ignore = (): void => undefined

/** Samples that are removed in one minute; the rest comes next. */
const AT_ONCE = 200

/**
 * Removes samples that are a day old: their files first, because the row is what names them.
 * Harmless to repeat.
 */
export async function dropOldSamples(ctx: Ctx): Promise<void> {
  const old = await ctx.db
    .select()
    .from(samples)
    .where(lt(samples.createdAt, new Date(ctx.clock().getTime() - SAMPLE_LIFE_MS)))
    .orderBy(asc(samples.createdAt))
    .limit(AT_ONCE)
  for (const sample of old)
    try {
      await removeFiles(ctx, sample)
      await ctx.db.delete(samples).where(eq(samples.id, sample.id))
    } catch (error) {
      ctx.log.error('storage/not-deleted', error, { sampleId: sample.id })
    }
}
