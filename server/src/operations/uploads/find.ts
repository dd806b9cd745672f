import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { uploadRequests } from '#server/db/schema.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { notFound } from '#server/problems.ts'

export type UploadRow = typeof uploadRequests.$inferSelect

/**
 * An own upload; refuses with 404 `uploads/not-found`. `lock` keeps others from changing it until
 * the transaction ends.
 */
export async function findUpload(
  tx: Tx | Db,
  userId: string,
  id: string,
  lock?: 'update' | 'share',
): Promise<UploadRow> {
  const query = tx
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.userId, userId)))
  const [row] = lock === undefined ? await query : await query.for(lock)
  if (row === undefined) throw notFound('uploads/not-found')
  return row
}

/** Where the picture of a video is kept. */
export function thumbnailKeyOf(uploadId: string): string {
  return `thumbnails/${uploadId}.jpg`
}

/** The upload as the object store knows it. */
export function planOf(row: UploadRow): MultipartPlan {
  return {
    uploadId: row.id,
    objectKey: row.objectKey,
    sizeBytes: row.sizeBytes,
    partSizeBytes: row.partSizeBytes,
    partCount: row.partCount,
  }
}
