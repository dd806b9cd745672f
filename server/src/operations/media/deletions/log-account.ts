import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
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
  outputsOf,
  previewKeyOf,
  samplesOf,
  thumbnailKeyOf,
} from '#server/operations/media/storage/keys.ts'
import { boardFiles } from './remove.ts'

type Line = Pick<
  typeof deletionLog.$inferInsert,
  'uploadRequestId' | 'what' | 'sizeBytes' | 'objectKey'
>

/**
 * Writes to the log of deletions, before their bytes go, the files that there are of an account
 * that is erased. Repeating adds nothing. The lines name an account, and no person.
 */
export async function logAccountFiles(
  ctx: TxCtx,
  { userId }: { readonly userId: string },
): Promise<void> {
  const logged = await ctx.db
    .select({ objectKey: deletionLog.objectKey })
    .from(deletionLog)
    .where(and(eq(deletionLog.userId, userId), eq(deletionLog.reason, 'account')))
  const known = new Set(logged.map(({ objectKey }) => objectKey))
  const begunAt = ctx.clock()
  const files = [...(await uploadedFiles(ctx, userId)), ...(await resultFiles(ctx, userId))]
  const lines = files
    .filter(({ objectKey }) => !known.has(objectKey))
    .map((line) => ({ id: ctx.newId(), userId, reason: 'account' as const, begunAt, ...line }))
  if (lines.length > 0) await ctx.db.insert(deletionLog).values(lines)
}

/** Videos, assets, their pictures, and what was found in them. */
async function uploadedFiles(ctx: TxCtx, userId: string): Promise<Line[]> {
  const uploads = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.userId, userId))
  const faces = await ctx.db
    .select({ id: faceFindings.uploadRequestId, sizeBytes: faceFindings.sizeBytes })
    .from(faceFindings)
    .innerJoin(uploadRequests, eq(uploadRequests.id, faceFindings.uploadRequestId))
    .where(eq(uploadRequests.userId, userId))
  const faceLines = faces.map(({ id: uploadRequestId, sizeBytes }) => ({
    uploadRequestId,
    what: 'faces' as const,
    sizeBytes,
    objectKey: faceFilesOf(uploadRequestId),
  }))
  const sampled = await ctx.db
    .selectDistinct({ id: samples.uploadRequestId })
    .from(samples)
    .innerJoin(uploadRequests, eq(uploadRequests.id, samples.uploadRequestId))
    .where(eq(uploadRequests.userId, userId))
  const sampleLines = sampled.map(({ id: uploadRequestId }) => ({
    uploadRequestId,
    what: 'samples' as const,
    sizeBytes: 0,
    objectKey: samplesOf(uploadRequestId),
  }))
  const fileLines = uploads.flatMap((upload) => {
    const { id: uploadRequestId, sizeBytes, objectKey, thumbnailKey } = upload
    const picture = { what: 'picture', sizeBytes: 0, objectKey: thumbnailKeyOf(upload.id) } as const
    return [
      ...(isStored(upload)
        ? [{ uploadRequestId, what: 'source' as const, sizeBytes, objectKey }]
        : []),
      ...(thumbnailKey === null ? [] : [{ uploadRequestId, ...picture }]),
      ...boardFiles(upload).map((file) => ({ uploadRequestId, ...file })),
      ...(upload.assetPreview === 'ready'
        ? [{ uploadRequestId, ...picture, objectKey: previewKeyOf(upload.id) }]
        : []),
    ]
  })
  return [...fileLines, ...faceLines, ...sampleLines]
}

/** The whole file of an upload came, and it was not deleted since. */
function isStored({ uploadEndedAt, sourceRemovedAt }: UploadRow): boolean {
  return uploadEndedAt !== null && sourceRemovedAt === null
}

async function resultFiles(ctx: TxCtx, userId: string): Promise<Line[]> {
  const results = await ctx.db
    .select({
      taskId: taskOutputs.taskId,
      uploadRequestId: mediaJobs.uploadRequestId,
      sizeBytes: sql<string>`sum(${taskOutputs.sizeBytes})`,
    })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(eq(mediaJobs.userId, userId), isNotNull(taskOutputs.objectKey)))
    .groupBy(taskOutputs.taskId, mediaJobs.uploadRequestId)
  return results.map(({ taskId, uploadRequestId, sizeBytes }) => ({
    uploadRequestId,
    what: 'results',
    sizeBytes: Number(sizeBytes),
    objectKey: outputsOf(taskId),
  }))
}
