import { and, desc, eq, inArray } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import {
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  presets,
  walletTransactions,
  orders,
  uploadRequests,
} from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'
import { repriceOpenOrder } from '#server/operations/orders/create.ts'
import { isOffered } from '#server/operations/presets-offered.ts'
import { refuseSoundless } from '#server/operations/refuse-soundless.ts'
import { findUpload, type UploadRow } from '#server/operations/uploads/find.ts'

export type JobRow = typeof mediaJobs.$inferSelect
type TaskRequest = components['schemas']['MediaJobTaskRequest']
type Body = components['schemas']['CreateMediaJobBody']['mediaJob']
interface NewTask {
  readonly presetSlug: string
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Asks for edits of an upload. The newest job of the upload is changed while nothing was paid for
 * it (`isNew` false), so that a double click makes one. Needs create:orders. Refuses: 422
 * `presets/not-offered`, `presets/doubled`, `presets/needs-sound`, `request/invalid` with the
 * payload's field, `media-assets/wrong-kind`; 404 for an upload or asset of somebody else; 409
 * `uploads/failed`, `uploads/aborted`, `uploads/other-purpose`.
 */
export async function createMediaJob(
  deps: Deps,
  user: CurrentUser,
  body: Body,
): Promise<{ job: JobRow; isNew: boolean }> {
  requirePermission(user, 'create:orders')
  return await deps.db.transaction(async (tx) => {
    // The lock makes a double click wait for itself.
    const upload = await findUpload(tx, user.id, body.uploadRequestId, 'update')
    refuseUpload(upload)
    const tasks = await readTasks(tx, deps, user, body.mediaJobTaskRequests)
    refuseSoundless(upload, tasks)
    const [newest] = await tx
      .select()
      .from(mediaJobs)
      .where(eq(mediaJobs.uploadRequestId, upload.id))
      .orderBy(desc(mediaJobs.createdAt), desc(mediaJobs.id))
      .limit(1)
      .for('update')
    const reused = newest !== undefined && (await isUnpaid(tx, newest)) ? newest : undefined
    const job = reused ?? (await insertJob(tx, deps, upload, body.name))
    if (reused !== undefined)
      await tx.delete(mediaJobTasks).where(eq(mediaJobTasks.mediaJobId, reused.id))
    const createdAt = deps.clock()
    await tx.insert(mediaJobTasks).values(
      tasks.map((task, position) => ({
        id: deps.newId(),
        mediaJobId: job.id,
        position,
        ...task,
        status: 'created' as const,
        createdAt,
      })),
    )
    if (reused !== undefined) await reprice(tx, deps, job.id)
    return { job, isNew: reused === undefined }
  })
}

/**
 * A price that depends on a length nobody knows yet comes with the next `POST orders`; until then
 * the order is empty.
 */
async function reprice(tx: Tx, deps: Deps, jobId: string): Promise<void> {
  try {
    await repriceOpenOrder(tx, deps, jobId)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'orders/metadata-pending') throw error
  }
}

async function insertJob(
  tx: Tx,
  deps: Deps,
  upload: UploadRow,
  name: string | undefined,
): Promise<JobRow> {
  const [row] = await tx
    .insert(mediaJobs)
    .values({
      id: deps.newId(),
      userId: upload.userId,
      uploadRequestId: upload.id,
      name: name?.trim() || upload.clientFilename.replace(/(?<=.)\.[^.]*$/, ''),
      createdAt: deps.clock(),
    })
    .returning()
  return row! // an insert without `on conflict` returns its row or throws
}

/** Nothing was ever paid for the job, its work has not begun and no order of it was cancelled. */
async function isUnpaid(tx: Tx, job: JobRow): Promise<boolean> {
  if (job.workflowStartedAt !== null || job.workflowEndedAt !== null) return false
  const placed = await tx
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(eq(orders.mediaJobId, job.id))
    .for('update')
  if (placed.some((order) => order.status !== 'open')) return false
  if (placed.length === 0) return true
  const [paid] = await tx
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
  if (upload.state === 'aborted')
    throw new Problem(
      'uploads/aborted',
      'This upload was discarded or has expired. Please upload the video again.',
    )
  if (upload.state === 'failed')
    throw new Problem(
      'uploads/failed',
      upload.failureReason ?? 'This file could not be read. Please upload another one.',
    )
}

async function readTasks(
  tx: Tx,
  deps: Deps,
  user: CurrentUser,
  requests: readonly TaskRequest[],
): Promise<readonly NewTask[]> {
  const slugs = requests.map((request) => request.mediaJobTaskPresetSlug)
  const doubled = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (doubled !== undefined)
    throw new Problem('presets/doubled', 'Each edit can be chosen only once.', {
      fields: { 'mediaJob.mediaJobTaskRequests': `${doubled} was chosen twice.` },
    })
  const known = await tx
    .select({ slug: presets.slug, name: presets.name })
    .from(presets)
    .where(inArray(presets.slug, slugs))
  const tasks: NewTask[] = []
  for (const [index, request] of requests.entries()) {
    const field = `mediaJob.mediaJobTaskRequests.${index}`
    const slug = request.mediaJobTaskPresetSlug
    const preset = known.find((each) => each.slug === slug)
    const recipe = findRecipe(slug)
    if (preset === undefined || recipe === undefined || !isOffered(slug, deps.ffmpeg)) {
      throw new Problem(
        'presets/not-offered',
        'This edit is not available yet. Please choose another one.',
        { fields: { [field]: 'Not available yet.' } },
      )
    }
    const options = recipe.validate(request.payload ?? {})
    if (!options.ok) {
      throw new Problem('request/invalid', options.error.message, {
        fields: {
          [options.error.field === null ? field : `${field}.payload.${options.error.field}`]:
            options.error.message,
        },
      })
    }
    await refuseAssets(tx, user, recipe.assetIds(options.value), `${field}.payload`)
    tasks.push({ presetSlug: slug, name: preset.name, payload: options.value })
  }
  return tasks
}

async function refuseAssets(
  tx: Tx,
  user: CurrentUser,
  ids: readonly string[],
  field: string,
): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .select({ id: mediaAssets.id, kind: uploadRequests.mediaKind, state: uploadRequests.state })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(and(inArray(mediaAssets.id, [...ids]), eq(mediaAssets.userId, user.id)))
  if (rows.length < new Set(ids).size) throw notFound('media-assets/not-found')
  const wrong = rows.find((row) => row.state !== 'validated' || row.kind === 'audio')
  if (wrong === undefined) return
  const message =
    wrong.kind === 'audio'
      ? 'Choose a video or an image here.'
      : 'One of these assets is not ready yet.'
  throw new Problem('media-assets/wrong-kind', message, { fields: { [field]: message } })
}
