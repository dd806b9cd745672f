import { createHash } from 'node:crypto'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { LINKS_PER_HOUR } from '#server/budgets.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { seal } from '#server/db/vault.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import type { NewUpload } from '#server/operations/uploads/create.ts'
import { enqueueImport } from './enqueue.ts'
import { kindOf, placeOfAsked } from './kinds/all.ts'
import type { AskedImports, FoundFile } from './kinds/kind.ts'
import { cipherOf } from './providers.ts'
import { type ImportProvider } from '#server/operations/uploads/provider.ts'

/** What a person chose to import. */
interface ChosenFile {
  readonly upload: AskedImports[ImportProvider]
  readonly purpose: UploadRow['purpose']
  readonly idempotencyKey: string
}

/** An import, before the server has asked what it is. */
export interface WantedImport extends Pick<ChosenFile, 'purpose' | 'idempotencyKey'> {
  readonly provider: ImportProvider
  /** Where the file is, in the words of its kind. */
  readonly place: string
  readonly bodyHash: string
}

/** What an import begins with, and what its row needs. */
export interface LookedImport {
  readonly upload: NewUpload
  readonly store: (ctx: TxCtx, upload: UploadRow) => Promise<void>
}

/** A person waits for this answer. */
export const LONGEST_LOOK_MS = 15_000

/** Checks what a person chose without asking its host. Refuses as `placeOfAsked`. */
export function readChosenFile(
  ctx: UserCtx,
  { upload, purpose, idempotencyKey }: ChosenFile,
): WantedImport {
  const { provider } = upload
  const place = placeOfAsked(ctx, provider, upload)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([purpose, provider, place]))
    .digest('hex')
  return { provider, place, purpose, idempotencyKey, bodyHash }
}

/**
 * Asks the host of a file what it is. Refuses as its kind, and `request/too-many`: each question is
 * a request that this server makes for a person.
 */
export async function lookAtFile(
  ctx: UserCtx,
  wanted: Pick<WantedImport, 'provider' | 'place'>,
): Promise<FoundFile> {
  await inTransaction(ctx, async (ctx) => {
    const key = `links-looked-at:${ctx.user.id}`
    await countOrRefuse(ctx, { key, limit: LINKS_PER_HOUR, what: 'links were tried' })
  })
  return await kindOf(wanted).look(ctx, {
    place: wanted.place,
    userId: ctx.user.id,
    signal: AbortSignal.timeout(LONGEST_LOOK_MS),
  })
}

/** What an import begins with, as its host says. Refuses as `lookAtFile`. */
export async function lookAtImport(ctx: UserCtx, wanted: WantedImport): Promise<LookedImport> {
  const { place, name, sizeBytes, ...file } = await lookAtFile(ctx, wanted)
  const { place: _asked, ...rest } = wanted
  return {
    upload: { ...rest, clientFilename: name, sizeBytes },
    store: async (ctx, { id: uploadRequestId, userId }) => {
      const now = ctx.clock()
      await ctx.db.insert(uploadImports).values({
        uploadRequestId,
        ...file,
        linkCipher: seal(ctx.secrets.vault, place, cipherOf({ id: uploadRequestId, userId })),
        nextAt: now,
        lastByteAt: now,
      })
      await enqueueImport(ctx, { uploadRequestId })
    },
  }
}
