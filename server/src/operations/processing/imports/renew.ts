import { and, eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import type { ImportRow, UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { seal, unseal } from '#server/db/vault.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { Problem } from '#server/problems.ts'
import { lookAtFile } from './create.ts'
import { enqueueImport } from './enqueue.ts'
import { placeOfAsked } from './kinds/all.ts'
import type { AskedImports, FoundFile } from './kinds/kind.ts'
import { cipherOf } from './cipher.ts'
import type { ImportProvider } from '#server/operations/media/uploads/provider.ts'

/** Where a person says the file of an import is now. */
interface RenewedImport {
  readonly id: string
  readonly upload: AskedImports[ImportProvider]
}

/**
 * Goes on with an import whose file was gone from where it was, from the parts that are here.
 * Refuses: `uploads/not-found`, `uploads/not-open` where it waits for nothing of the kind,
 * `uploads/link-refused` for another file, and as `placeOfAsked` and `lookAtFile`.
 */
export async function renewImport(
  ctx: UserCtx,
  { id, upload: asked }: RenewedImport,
): Promise<UploadRow> {
  const { provider } = asked
  const { upload, row } = await findImport(ctx, id)
  const place = placeOfAsked(ctx, provider, asked)
  const isRepeated = place === unseal(ctx.secrets.vault, row.linkCipher, cipherOf(upload))
  if (isRepeated && row.problem !== 'gone') return upload
  if (upload.provider !== provider || row.problem !== 'gone') throw notGone()
  const found = await lookAtFile(ctx, { provider, place })
  refuseOtherFile(upload, row, found)
  return await inTransaction(ctx, async (ctx) => {
    const locked = await findUpload(ctx, { id, lock: 'update' })
    const now = ctx.clock()
    const { rowCount } = await ctx.db
      .update(uploadImports)
      .set({
        host: found.host,
        linkCipher: seal(ctx.secrets.vault, found.place, cipherOf(locked)),
        validator: found.validator,
        headSha256: found.headSha256,
        md5: found.md5,
        externalAuthId: found.externalAuthId,
        takesRanges: found.takesRanges,
        wholeTries: 0,
        attempts: 0,
        problem: null,
        nextAt: now,
        lastByteAt: now,
      })
      .where(and(eq(uploadImports.uploadRequestId, id), eq(uploadImports.problem, 'gone')))
    // Another device may have renewed it meanwhile: then it goes on by what that one said.
    if (rowCount === 1) await enqueueImport(ctx, { uploadRequestId: id })
    return locked
  })
}

async function findImport(
  ctx: UserCtx,
  id: string,
): Promise<{ readonly upload: UploadRow; readonly row: ImportRow }> {
  const upload = await findUpload(ctx, { id })
  const [row] = await ctx.db
    .select()
    .from(uploadImports)
    .where(eq(uploadImports.uploadRequestId, id))
  if (upload.state !== 'open' || row === undefined) throw notGone()
  return { upload, row }
}

function notGone(): Problem {
  return new Problem(
    'uploads/not-open',
    'This import does not wait for its file to be chosen again.',
  )
}

/** Parts of two files would make a third one. */
function refuseOtherFile(upload: UploadRow, row: ImportRow, found: FoundFile): void {
  const { validator, headSha256 } = found
  const isSameVersion = validator !== null && validator === row.validator
  const beginsAlike = row.headSha256 !== null && headSha256 === row.headSha256
  if (found.sizeBytes === upload.sizeBytes && (isSameVersion || beginsAlike)) return
  throw new Problem(
    'uploads/link-refused',
    `This is another file than ${upload.clientFilename}, of which the server already has a part. Choose that one, or discard this import and begin a new one.`,
  )
}
