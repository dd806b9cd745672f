/**
 * The deletion of files that the user or the retention wants gone.
 *
 * [Note: deletions] First a transaction takes the files out of the rows, so that no call reaches
 * them any more, and writes what has to be deleted to the log; then the bytes go; then the log says
 * when. A crash between them leaves a line without that time, which the next minute ends.
 */
import { and, asc, eq, inArray, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx, type UserCtx } from '#server/context.ts'
import type { TaskRow, UploadRow } from '#server/db/rows.ts'
import {
  deletionLog,
  faceFindings,
  mediaJobs,
  mediaJobTasks,
  samples,
  taskOutputs,
  uploadRequests,
} from '#server/db/schema.ts'
import {
  faceFilesOf,
  momentPicturesKeyOf,
  momentVideoKeyOf,
  outputsOf,
  previewKeyOf,
  samplesOf,
  thumbnailKeyOf,
} from '#server/operations/media/storage/keys.ts'
import { blockFile } from '#server/operations/media/known-videos/blocked.ts'
import { isToBeKnown } from '#server/operations/media/known-videos/know-video.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { Problem } from '#server/problems.ts'
import { jobInUse, jobLastEditAt } from '#server/operations/media/storage/overview.ts'

/**
 * Why files go: their owner deleted them, or set a rule that does; their time is over, the operator
 * removed them, or the account is deleted.
 */
type DeletionReason = 'owner' | 'rule' | 'retention' | 'report' | 'account'

const AT_ONCE = 200

/**
 * Deletes the video of an upload and, with `withResults`, what was made of it. The picture goes
 * with the last of them. Repeating is harmless. Refuses: `uploads/not-found`, `uploads/in-use`
 * while it is checked, an order of it is being paid, or paid edits of it are not finished.
 */
export async function deleteStored(
  ctx: UserCtx,
  { id, withResults }: { readonly id: string; readonly withResults: boolean },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const upload = await findUpload(ctx, { id, lock: 'update' })
    if (upload.purpose !== 'media-job' || upload.state === 'open' || upload.state === 'aborted')
      throw inUse('This video is not on the server as a whole. Discard its upload instead.')
    if (!(await lockUnused(ctx, { upload })))
      throw inUse(
        'Edits of this video are being paid or made. Delete it when they are finished, or cancel the order first.',
      )
    await removeSource(ctx, { upload, reason: 'owner' })
    const tasks = await ctx.db
      .select({ task: mediaJobTasks })
      .from(mediaJobTasks)
      .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
      .where(and(eq(mediaJobs.uploadRequestId, id), isNull(mediaJobTasks.filesRemovedAt)))
      .orderBy(asc(mediaJobTasks.id))
    if (withResults)
      for (const { task } of tasks) await removeResults(ctx, { upload, task, reason: 'owner' })
    await removeLastPicture(ctx, { upload, reason: 'owner' })
  })
  await finishDeletions(ctx, { uploadRequestId: id })
}

/**
 * Locks the jobs of a locked upload ([Note: lock order] in orders/find.ts), so that no payment
 * begins meanwhile. False when its files are in use, or one of its edits is not older than
 * `before`.
 */
export async function lockUnused(
  ctx: Pick<TxCtx, 'db'>,
  { upload, before }: { readonly upload: UploadRow; readonly before?: Date },
): Promise<boolean> {
  if (upload.state === 'completed') return false
  await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, upload.id))
    .orderBy(asc(mediaJobs.id))
    .for('update')
  const isNew =
    before === undefined
      ? sql`false`
      : sql`${jobLastEditAt} >= ${before.toISOString()}::timestamptz`
  const { rows } = await ctx.db.execute(sql`
    select 1 from media_jobs j
    where j.upload_request_id = ${upload.id} and (${jobInUse} or ${isNew}) limit 1`)
  return rows.length === 0
}

/** What a removal needs of a transaction's context. */
type RemovalCtx = Pick<TxCtx, 'db' | 'clock' | 'newId'>

interface Removal {
  readonly upload: UploadRow
  readonly reason: DeletionReason
}

/**
 * Takes a video out of its row, with what was found in it. The caller holds the lock of
 * `lockUnused`.
 */
export async function removeSource(ctx: RemovalCtx, { upload, reason }: Removal): Promise<void> {
  if (upload.sourceRemovedAt !== null) return
  await ctx.db
    .update(uploadRequests)
    .set({
      sourceRemovedAt: ctx.clock(),
      moments: null,
      momentPictures: null,
      momentVideo: null,
      momentVideoBytes: 0,
      sounds: null,
    })
    .where(eq(uploadRequests.id, upload.id))
  const [faces] = await ctx.db
    .delete(faceFindings)
    .where(eq(faceFindings.uploadRequestId, upload.id))
    .returning({ sizeBytes: faceFindings.sizeBytes })
  if (faces !== undefined)
    await logDeletion(ctx, {
      upload,
      reason,
      what: 'faces',
      sizeBytes: faces.sizeBytes,
      objectKey: faceFilesOf(upload.id),
    })
  await removeSamples(ctx, { upload, reason })
  for (const file of boardFiles(upload)) await logDeletion(ctx, { upload, reason, ...file })
  await logDeletion(ctx, {
    upload,
    reason,
    what: 'source',
    sizeBytes: upload.sizeBytes,
    objectKey: upload.objectKey,
  })
}

/** What of the moment board of a video is stored, as the log has it. */
export function boardFiles({
  id,
  momentPictures,
  momentVideo,
  momentVideoBytes,
}: Pick<UploadRow, 'id' | 'momentPictures' | 'momentVideo' | 'momentVideoBytes'>) {
  const what = 'picture' as const
  return [
    ...(momentPictures === null
      ? []
      : [{ what, sizeBytes: 0, objectKey: momentPicturesKeyOf(id) }]),
    ...(momentVideo === null
      ? []
      : [{ what, sizeBytes: momentVideoBytes, objectKey: momentVideoKeyOf(id) }]),
  ]
}

async function removeSamples(ctx: RemovalCtx, { upload, reason }: Removal): Promise<void> {
  const removed = await ctx.db
    .delete(samples)
    .where(eq(samples.uploadRequestId, upload.id))
    .returning({ id: samples.id })
  if (removed.length === 0) return
  const objectKey = samplesOf(upload.id)
  await logDeletion(ctx, { upload, reason, what: 'samples', sizeBytes: 0, objectKey })
}

/** Takes the picture of a locked upload away when neither video nor edits are left of it. */
export async function removeLastPicture(
  ctx: RemovalCtx,
  { upload, reason }: Removal,
): Promise<void> {
  if (upload.thumbnailKey === null) return
  const { rows } = await ctx.db.execute(sql`
    select 1 from media_jobs j join media_job_tasks t on t.media_job_id = j.id
      join task_outputs o on o.task_id = t.id
    where j.upload_request_id = ${upload.id} and o.object_key is not null
    union all
    select 1 from upload_requests where id = ${upload.id} and source_removed_at is null
    limit 1`)
  if (rows.length > 0) return
  await ctx.db
    .update(uploadRequests)
    .set({ thumbnailKey: null })
    .where(eq(uploadRequests.id, upload.id))
  const objectKey = thumbnailKeyOf(upload.id)
  await logDeletion(ctx, { upload, reason, what: 'picture', sizeBytes: 0, objectKey })
}

/** Takes the file of a locked asset out of its row, with its picture and its short piece. */
export async function removeAssetFiles(
  ctx: RemovalCtx,
  { upload, reason }: Removal,
): Promise<void> {
  await removeSource(ctx, { upload, reason })
  await ctx.db
    .update(uploadRequests)
    .set({ thumbnailKey: null, assetPreview: null })
    .where(eq(uploadRequests.id, upload.id))
  const shown = [
    ...(upload.thumbnailKey === null ? [] : [upload.thumbnailKey]),
    ...(upload.assetPreview === 'ready' ? [previewKeyOf(upload.id)] : []),
  ]
  for (const objectKey of shown)
    await logDeletion(ctx, { upload, reason, what: 'picture', sizeBytes: 0, objectKey })
}

/** Puts a line in the place of an edit's files, which says when they went. */
export async function removeResults(
  ctx: RemovalCtx,
  { upload, reason, task }: Removal & { readonly task: TaskRow },
): Promise<void> {
  const now = ctx.clock()
  await ctx.db
    .update(mediaJobTasks)
    .set({ filesRemovedAt: now })
    .where(eq(mediaJobTasks.id, task.id))
  const removed = await ctx.db
    .delete(taskOutputs)
    .where(and(eq(taskOutputs.taskId, task.id), isNotNull(taskOutputs.objectKey)))
    .returning({ sizeBytes: taskOutputs.sizeBytes })
  if (removed.length === 0) return
  const text = `The files of this edit were deleted on ${now.toISOString().slice(0, 10)}.`
  await ctx.db
    .insert(taskOutputs)
    .values({ id: ctx.newId(), taskId: task.id, position: 0, kind: 'text', text })
  await logDeletion(ctx, {
    upload,
    reason,
    what: 'results',
    sizeBytes: removed.reduce((sum, output) => sum + (output.sizeBytes ?? 0), 0),
    objectKey: outputsOf(task.id),
  })
}

async function logDeletion(
  ctx: RemovalCtx,
  {
    upload,
    ...line
  }: Removal & Pick<typeof deletionLog.$inferInsert, 'what' | 'sizeBytes' | 'objectKey'>,
): Promise<void> {
  await ctx.db.insert(deletionLog).values({
    id: ctx.newId(),
    userId: upload.userId,
    uploadRequestId: upload.id,
    begunAt: ctx.clock(),
    ...line,
  })
}

/**
 * Deletes the bytes of the lines of the log that are not done, of all or of one upload; harmless to
 * repeat. A file that cannot be deleted is logged, keeps its line and holds up no other one.
 */
export async function finishDeletions(
  ctx: Ctx,
  { uploadRequestId }: { readonly uploadRequestId?: string } = {},
): Promise<void> {
  const failed: string[] = []
  for (;;) {
    const lines = await ctx.db
      .select()
      .from(deletionLog)
      .where(
        and(
          isNull(deletionLog.doneAt),
          uploadRequestId === undefined
            ? undefined
            : eq(deletionLog.uploadRequestId, uploadRequestId),
          notInArray(deletionLog.id, failed),
        ),
      )
      .orderBy(asc(deletionLog.begunAt))
      .limit(AT_ONCE)
    const done: string[] = []
    for (const line of lines)
      if (await removeLine(ctx, line)) done.push(line.id)
      else failed.push(line.id)
    if (done.length > 0)
      await ctx.db
        .update(deletionLog)
        .set({ doneAt: ctx.clock() })
        .where(inArray(deletionLog.id, done))
    if (lines.length < AT_ONCE || done.length > 0) return
  }
}

async function removeLine(ctx: Ctx, line: typeof deletionLog.$inferSelect): Promise<boolean> {
  const { id, what, objectKey, reason } = line
  try {
    if (what === 'source' && reason === 'report') {
      if (await isToBeKnown(ctx, line)) return false
      await blockFile(ctx, line)
    }
    if (what === 'results' || what === 'faces' || what === 'samples')
      await ctx.store.removeAll(objectKey)
    else await ctx.store.remove(objectKey)
    return true
  } catch (error) {
    ctx.log.error('storage/not-deleted', error, { deletionId: id, what })
    return false
  }
}

function inUse(message: string): Problem {
  return new Problem('uploads/in-use', message)
}
