import { and, desc, eq, inArray, isNotNull, isNull, notExists } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { refuseTogether } from '#checks/asset-limits.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { AssetSource } from '#recipes/types.ts'
import { inTransaction, type TxCtx, type UserCtx, type WithUser } from '#server/context.ts'
import { CHOICES_PER_HOUR } from '#server/budgets.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { JobRow, UploadRow } from '#server/db/rows.ts'
import {
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  orders,
  presets,
  uploadRequests,
  walletTransactions,
} from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { readMusicTracks } from '#server/operations/core/music-tracks/list.ts'
import { lengthOf } from '#server/operations/media/uploads/length.ts'
import { isOffered } from '#server/operations/core/presets/offered.ts'
import { readMeans } from '#server/operations/core/workers.ts'
import { readRedo, redoUsed } from './redo.ts'
import { refuseDoubled } from './refuse-doubled.ts'
import { refuseMoments } from './refuse-moments.ts'
import { refuseSoundless } from './refuse-soundless.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { refuseDead } from '#server/operations/media/uploads/refuse-dead.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'
import { readJobs, type JobFacts } from './facts.ts'

type TaskRequest = components['schemas']['MediaJobTaskRequest']
type Body = components['schemas']['CreateMediaJobBody']['mediaJob']
interface NewTask {
  readonly presetSlug: string
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** What follows in the same transaction when the edits of a job have changed that was not paid. */
type AfterChange = (ctx: TxCtx, job: { readonly mediaJobId: string }) => Promise<void>

/**
 * Asks for edits of an upload. Changes the newest job of the upload while nothing was paid for it
 * (`isNew` false), so that a double click makes one. With `redoOfTaskId` it makes one delivered
 * edit again (redo.ts), in a job of its own. Needs create:orders. Refuses:
 * `presets/not-offered`, `presets/doubled`, `presets/needs-sound`, `request/invalid` with the
 * payload's field, `media-assets/wrong-kind`, `media-assets/too-long`, `media-assets/not-found`,
 * `music-tracks/not-found`,
 * `uploads/not-found`, `uploads/failed`, `uploads/aborted`, `uploads/held`,
 * `uploads/other-purpose`, `request/too-many`, and with `redoOfTaskId` what `readRedo` refuses.
 */
export async function createMediaJob(
  ctx: UserCtx,
  body: Body,
  afterChange: AfterChange,
): Promise<JobFacts & { readonly isNew: boolean }> {
  requirePermission(ctx.user, 'create:orders')
  return await inTransaction(ctx, async (ctx) => {
    // The lock makes a double click wait for itself.
    const upload = await findUpload(ctx, { id: body.uploadRequestId, lock: 'update' })
    await countOrRefuse(ctx, {
      key: `edits-chosen:${ctx.user.id}`,
      limit: CHOICES_PER_HOUR,
      what: 'edits were chosen',
    })
    refuseUpload(upload)
    const requests = body.mediaJobTaskRequests
    refuseDoubled(requests, 'mediaJob.mediaJobTaskRequests')
    const tasks = await checkTasks(ctx, {
      upload,
      requests,
      fieldOf: (index) => `mediaJob.mediaJobTaskRequests.${index}`,
    })
    refuseSoundless(upload, tasks)
    const redo =
      body.redoOfTaskId === undefined
        ? null
        : await readRedo(ctx, { upload, taskId: body.redoOfTaskId, edits: tasks })
    const newest = redo === null ? await findNewestJob(ctx, upload) : redo.openJob
    const reused = newest !== undefined && (await isUnpaid(ctx, newest)) ? newest : undefined
    if (redo !== null && newest !== reused) throw redoUsed()
    // A video that was renamed keeps its name.
    const knownName = redo?.name ?? newest?.name
    const job = reused ?? (await insertJob(ctx, upload, body.name ?? knownName))
    if (reused !== undefined)
      await ctx.db.delete(mediaJobTasks).where(eq(mediaJobTasks.mediaJobId, reused.id))
    const createdAt = ctx.clock()
    await ctx.db.insert(mediaJobTasks).values(
      tasks.map((task, position) => ({
        id: ctx.newId(),
        mediaJobId: job.id,
        position,
        ...task,
        status: 'created' as const,
        redoOfTaskId: redo?.taskId ?? null,
        createdAt,
      })),
    )
    if (reused !== undefined) await afterChange(ctx, { mediaJobId: job.id })
    return { ...onlyRow(await readJobs(ctx, { jobs: [job] })), isNew: reused === undefined }
  })
}

/** The newest job of an upload that is no redo, locked. */
async function findNewestJob(ctx: TxCtx, upload: UploadRow): Promise<JobRow | undefined> {
  const redoOfJob = ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobs.id), isNotNull(mediaJobTasks.redoOfTaskId)))
  const [newest] = await ctx.db
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.uploadRequestId, upload.id), notExists(redoOfJob)))
    .orderBy(desc(mediaJobs.createdAt), desc(mediaJobs.id))
    .limit(1)
    .for('update')
  return newest
}

async function insertJob(ctx: TxCtx, upload: UploadRow, name: string | undefined): Promise<JobRow> {
  return onlyRow(
    await ctx.db
      .insert(mediaJobs)
      .values({
        id: ctx.newId(),
        userId: upload.userId,
        uploadRequestId: upload.id,
        name: name?.trim() || upload.clientFilename.replace(/(?<=.)\.[^.]*$/, ''),
        createdAt: ctx.clock(),
      })
      .returning(),
  )
}

/**
 * Whether nothing was ever paid for the job, its work has not begun and no order of it was
 * cancelled.
 */
async function isUnpaid(ctx: TxCtx, job: JobRow): Promise<boolean> {
  if (job.workflowStartedAt !== null || job.workflowEndedAt !== null) return false
  const placed = await ctx.db
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(eq(orders.mediaJobId, job.id))
    .for('update')
  if (placed.some((order) => order.status !== 'open')) return false
  if (placed.length === 0) return true
  const [paid] = await ctx.db
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      inArray(
        walletTransactions.orderId,
        placed.map((order) => order.id),
      ),
    )
    .limit(1)
  return paid === undefined
}

function refuseUpload(upload: UploadRow): void {
  if (upload.purpose !== 'media-job')
    throw new Problem(
      'uploads/other-purpose',
      'This file was uploaded as a media asset. Please upload the video itself.',
    )
  refuseDead(upload)
}

interface AskedTasks {
  readonly upload: UploadRow
  readonly requests: readonly TaskRequest[]
  /** What the body calls each of them. */
  readonly fieldOf: (index: number) => string
}

/**
 * The tasks that are asked for, with the options as their recipes read them. Refuses what
 * `createMediaJob` does of presets and their options.
 */
export async function checkTasks(
  ctx: TxCtx & WithUser,
  { upload, requests, fieldOf }: AskedTasks,
): Promise<readonly NewTask[]> {
  const slugs = requests.map((request) => request.mediaJobTaskPresetSlug)
  const known = await ctx.db
    .select({ slug: presets.slug, name: presets.name })
    .from(presets)
    .where(inArray(presets.slug, slugs))
  const means = await readMeans(ctx)
  const tasks: NewTask[] = []
  for (const [index, request] of requests.entries()) {
    const field = fieldOf(index)
    const slug = request.mediaJobTaskPresetSlug
    const preset = known.find((each) => each.slug === slug)
    const recipe = findRecipe(slug)
    if (preset === undefined || recipe === undefined || !isOffered(slug, means)) {
      throw new Problem(
        'presets/not-offered',
        'This edit is not available yet. Please choose another one.',
        { fields: { [field]: 'Not available yet.' } },
      )
    }
    const options = recipe.checkOrder(request.payload ?? {}, lengthOf(upload))
    if (!options.ok) {
      throw new Problem('request/invalid', options.error.message, {
        fields: {
          [options.error.field === null ? field : `${field}.payload.${options.error.field}`]:
            options.error.message,
        },
      })
    }
    refuseMoments(upload, { recipe, payload: options.value, field: `${field}.payload` })
    await refuseAssets(ctx, {
      ids: recipe.assetIds(options.value),
      recipe,
      field: `${field}.payload`,
    })
    await refuseMusic(ctx, recipe.musicTrackIds(options.value))
    tasks.push({ presetSlug: slug, name: preset.name, payload: options.value })
  }
  return tasks
}

/** Refuses tracks that are not, or no longer, in the list of this server. */
async function refuseMusic(ctx: TxCtx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = new Set((await readMusicTracks(ctx)).map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) throw notFound('music-tracks/not-found')
}

/**
 * Refuses assets that are not the user's, are not ready, are of another kind, are not fit for the
 * edit, or are too long.
 */
async function refuseAssets(
  ctx: TxCtx & WithUser,
  {
    ids,
    recipe,
    field,
  }: {
    readonly ids: readonly string[]
    readonly recipe: Pick<Recipe, 'assetKinds' | 'refuseAsset'>
    readonly field: string
  },
): Promise<void> {
  if (ids.length === 0) return
  const rows = await ctx.db
    .select({
      id: mediaAssets.id,
      kind: uploadRequests.mediaKind,
      state: uploadRequests.state,
      probe: uploadRequests.probe,
      heldAt: uploadRequests.heldAt,
    })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(
      and(
        inArray(mediaAssets.id, [...ids]),
        eq(mediaAssets.userId, ctx.user.id),
        isNull(mediaAssets.deletedAt),
      ),
    )
    // A deletion that begins meanwhile waits, and then finds the edit that names the asset.
    .for('share', { of: mediaAssets })
  if (rows.length < new Set(ids).size) throw notFound('media-assets/not-found')
  for (const row of rows) refuseHeld(row)
  const isTaken = (kind: string | null) => recipe.assetKinds.some((each) => each === kind)
  const wrong = rows.find(({ state, kind }) => state !== 'validated' || !isTaken(kind))
  if (wrong === undefined) {
    for (const row of rows) refuseUnfit(row, { recipe, field })
    const lengths = new Map(rows.map((row) => [row.id, readStoredProbe(row.probe)?.durationMs]))
    const tooLong = refuseTogether(ids.map((id) => lengths.get(id) ?? 0))
    if (tooLong === null) return
    throw new Problem('media-assets/too-long', tooLong, { fields: { [field]: tooLong } })
  }
  const message =
    wrong.state === 'validated'
      ? `Choose ${recipe.assetKinds.map((kind) => KIND_WORDS[kind]).join(' or ')} here.`
      : 'One of these assets is not ready yet.'
  throw new Problem('media-assets/wrong-kind', message, { fields: { [field]: message } })
}

const KIND_WORDS: Readonly<Record<AssetSource['kind'], string>> = {
  video: 'a video',
  image: 'an image',
}

/** Refuses an asset that the edit cannot show. */
function refuseUnfit(
  { probe }: Pick<UploadRow, 'probe'>,
  { recipe, field }: { readonly recipe: Pick<Recipe, 'refuseAsset'>; readonly field: string },
): void {
  const source = readStoredProbe(probe)
  const refusal = source === null ? null : recipe.refuseAsset(source)
  if (refusal === null) return
  const name = refusal.field === null ? field : `${field}.${refusal.field}`
  throw new Problem('request/invalid', refusal.message, { fields: { [name]: refusal.message } })
}
