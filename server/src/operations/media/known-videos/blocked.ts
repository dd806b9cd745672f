import { and, desc, eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { blockedFiles, reportSteps } from '#server/db/schema.ts'
import { hashObject } from '#server/object-store/hash-object.ts'

/**
 * Keeps the SHA-256 of a file that is about to be deleted after a report. Does nothing when its
 * bytes are gone already.
 */
export async function blockFile(
  ctx: Pick<Ctx, 'db' | 'clock' | 'store'>,
  { uploadRequestId, objectKey }: { readonly uploadRequestId: string; readonly objectKey: string },
): Promise<void> {
  const file = await ctx.store.head(objectKey)
  const [removed] = await ctx.db
    .select({ reportId: reportSteps.reportId })
    .from(reportSteps)
    .where(and(eq(reportSteps.uploadRequestId, uploadRequestId), eq(reportSteps.step, 'removed')))
    .orderBy(desc(reportSteps.id))
    .limit(1)
  if (file === null || removed === undefined) return
  await ctx.db
    .insert(blockedFiles)
    .values({
      sha256: await hashObject(ctx.store, objectKey, 'sha256'),
      sizeBytes: file.sizeBytes,
      reportId: removed.reportId,
      blockedAt: ctx.clock(),
    })
    .onConflictDoNothing()
}

/**
 * Whether the same bytes were removed after a report. Reads the file only when one of its size was.
 * Rejects with the reason of `signal`.
 */
export async function isBlocked(
  ctx: Pick<Ctx, 'db' | 'store'>,
  {
    upload,
    signal,
  }: { readonly upload: Pick<UploadRow, 'objectKey' | 'sizeBytes'>; readonly signal: AbortSignal },
): Promise<boolean> {
  const blocked = await ctx.db
    .select({ sha256: blockedFiles.sha256 })
    .from(blockedFiles)
    .where(eq(blockedFiles.sizeBytes, upload.sizeBytes))
  if (blocked.length === 0) return false
  const sha256 = await hashObject(ctx.store, upload.objectKey, 'sha256', signal)
  return blocked.some((file) => file.sha256 === sha256)
}
