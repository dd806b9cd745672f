import { and, eq, inArray, isNotNull, isNull, max, ne, sql } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import {
  faceFindings,
  mediaJobs,
  mediaJobTasks,
  taskOutputs,
  uploadParts,
  uploadRequests,
} from '#server/db/schema.ts'

/** An upload whose file is not complete, and how much of it is here. */
interface OpenUpload {
  readonly sizeBytes: number
  readonly sentBytes: number
  /** When its last part came, or when it was begun. */
  readonly lastSentAt: Date
}

/** What the files of one account take on the server. */
export interface StorageUsage {
  /**
   * Files of complete uploads, assets included, and what was made to choose moments and to review
   * faces.
   */
  readonly sourceBytes: number
  readonly resultBytes: number
  readonly open: readonly OpenUpload[]
}

/** Reads what the user's files take, but for excerpts, which no limit of storage counts. */
export async function readStorageUsage(ctx: Pick<ReadCtx, 'db'> & WithUser): Promise<StorageUsage> {
  const [sources] = await ctx.db
    .select({
      bytes: sql<string>`coalesce(sum(${uploadRequests.sizeBytes} + ${uploadRequests.momentVideoBytes}), 0)`,
    })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, ctx.user.id),
        inArray(uploadRequests.state, ['completed', 'validated', 'failed']),
        ne(uploadRequests.purpose, 'excerpt'),
        isNull(uploadRequests.sourceRemovedAt),
      ),
    )
  const [faces] = await ctx.db
    .select({ bytes: sql<string>`coalesce(sum(${faceFindings.sizeBytes}), 0)` })
    .from(faceFindings)
    .innerJoin(uploadRequests, eq(uploadRequests.id, faceFindings.uploadRequestId))
    .where(eq(uploadRequests.userId, ctx.user.id))
  const [results] = await ctx.db
    .select({ bytes: sql<string>`coalesce(sum(${taskOutputs.sizeBytes}), 0)` })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(eq(mediaJobs.userId, ctx.user.id), isNotNull(taskOutputs.objectKey)))
  return {
    sourceBytes: Number(sources?.bytes ?? 0) + Number(faces?.bytes ?? 0),
    resultBytes: Number(results?.bytes ?? 0),
    open: await readOpen(ctx),
  }
}

async function readOpen(ctx: Pick<ReadCtx, 'db'> & WithUser): Promise<OpenUpload[]> {
  const rows = await ctx.db
    .select({
      sizeBytes: uploadRequests.sizeBytes,
      createdAt: uploadRequests.createdAt,
      sentBytes: sql<string>`coalesce(sum(${uploadParts.sizeBytes}), 0)`,
      lastSentAt: max(uploadParts.storedAt),
    })
    .from(uploadRequests)
    .leftJoin(uploadParts, eq(uploadParts.uploadRequestId, uploadRequests.id))
    .where(
      and(
        eq(uploadRequests.userId, ctx.user.id),
        eq(uploadRequests.state, 'open'),
        ne(uploadRequests.purpose, 'excerpt'),
      ),
    )
    .groupBy(uploadRequests.id)
  return rows.map(({ sizeBytes, createdAt, sentBytes, lastSentAt }) => ({
    sizeBytes,
    sentBytes: Number(sentBytes),
    lastSentAt: lastSentAt ?? createdAt,
  }))
}
