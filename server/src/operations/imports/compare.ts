import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'

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
  if (said === null) return true
  const hash = createHash('md5')
  for await (const chunk of await ctx.store.read(upload.objectKey)) {
    signal.throwIfAborted()
    hash.update(chunk as Buffer)
  }
  return hash.digest('hex') === said
}
