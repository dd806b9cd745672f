import { createHash } from 'node:crypto'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { LINKS_PER_HOUR } from '#server/budgets.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { seal } from '#server/db/vault.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import {
  beginUpload,
  findBegun,
  type BegunUpload,
  type NewUpload,
} from '#server/operations/media/uploads/create.ts'
import { checkNewFile } from '#server/operations/media/uploads/new-file.ts'
import { enqueueImport } from './enqueue.ts'
import { kindOf, placeOfAsked } from './kinds/all.ts'
import type { AskedImports, FoundFile } from './kinds/kind.ts'
import { cipherOf } from './cipher.ts'
import type { ImportProvider } from '#server/operations/media/uploads/provider.ts'

/** What a person chose to import. */
interface ChosenFile {
  readonly upload: AskedImports[ImportProvider]
  readonly purpose: UploadRow['purpose']
  readonly idempotencyKey: string
}

/** An import, before the server has asked what it is. */
interface WantedImport extends Pick<ChosenFile, 'purpose' | 'idempotencyKey'> {
  readonly provider: ImportProvider
  /** Where the file is, in the words of its kind. */
  readonly place: string
  readonly bodyHash: string
}

/** What an import begins with, and what its row needs. */
interface LookedImport {
  readonly wanted: NewUpload
  readonly store: (ctx: TxCtx, upload: UploadRow) => Promise<void>
}

/**
 * Begins an import, or returns the one that this key began. Its host is asked first what the file
 * is. Refuses as `placeOfAsked`, `lookAtFile`, `checkNewFile` and `beginUpload`.
 */
export async function createImport(ctx: UserCtx, chosen: ChosenFile): Promise<BegunUpload> {
  const wanted = readChosenFile(ctx, chosen)
  const existing = await findBegun(ctx, wanted)
  if (existing !== undefined && existing.storeCall !== 'opening')
    return { upload: existing, isNew: false }
  return await beginUpload(ctx, await lookAtImport(ctx, wanted))
}

/** Checks what a person chose without asking its host. Refuses as `placeOfAsked`. */
function readChosenFile(
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

/** What an import begins with, as its host says. Refuses as `lookAtFile`. */
async function lookAtImport(ctx: UserCtx, wanted: WantedImport): Promise<LookedImport> {
  const { place, name, sizeBytes, ...file } = await lookAtFile(ctx, wanted)
  const { place: _asked, ...rest } = wanted
  const said = { ...rest, clientFilename: name, sizeBytes }
  // Name and size are the host's own, so that they are checked like those of a device.
  return {
    wanted: { ...said, clientFilename: checkNewFile(said) },
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

/** A person waits for this answer. */
export const LONGEST_LOOK_MS = 15_000

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
