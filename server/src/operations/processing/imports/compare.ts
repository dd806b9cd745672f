import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { hashObject } from '#server/object-store/hash-object.ts'

/**
 * Whether a completed upload is, byte for byte, what its host says of the file. True where no host
 * says anything of it.
 */
export async function isAsImported(
  ctx: Pick<Ctx, 'db' | 'store'>,
  { upload, signal }: { readonly upload: UploadRow; readonly signal: AbortSignal },
): Promise<boolean> {
  const [row] = await ctx.db
    .select({ md5: uploadImports.md5 })
    .from(uploadImports)
    .where(eq(uploadImports.uploadRequestId, upload.id))
  const said = row?.md5 ?? null
  return said === null || said === (await hashObject(ctx.store, upload.objectKey, 'md5', signal))
}
