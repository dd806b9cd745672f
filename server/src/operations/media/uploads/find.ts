import { and, eq } from 'drizzle-orm'
import type { ReadCtx, TxCtx, WithUser } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { notFound } from '#server/problems.ts'
import { refuseHeld } from './refuse-held.ts'

/**
 * One of the user's uploads, or `uploads/not-found`, or `uploads/held`. `lock` holds the row until
 * the transaction ends.
 */
export async function findUpload(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { id, lock }: { readonly id: string; readonly lock?: 'update' },
): Promise<UploadRow> {
  const query = ctx.db
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.userId, ctx.user.id)))
  const [row] = lock === undefined ? await query : await query.for(lock)
  if (row === undefined) throw notFound('uploads/not-found')
  refuseHeld(row)
  return row
}

/** An upload of any user, locked until the transaction ends. */
export async function lockUpload(
  ctx: Pick<TxCtx, 'db'>,
  id: string,
): Promise<UploadRow | undefined> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, id))
    .for('update')
  return upload
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
