import { createHash } from 'node:crypto'
import { inTransaction, type Ctx, type TxCtx, type UserCtx } from '#server/context.ts'
import { LINKS_PER_HOUR } from '#server/budgets.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { countOrRefuse } from '#server/operations/auth/limits.ts'
import type { NewUpload } from '#server/operations/uploads/create.ts'
import { enqueueImport } from './enqueue.ts'
import { sealLink } from './link-vault.ts'
import { checkLink, lookAtLink } from './look.ts'

/** A link that a person pasted. */
interface PastedLink {
  readonly link: string
  readonly purpose: UploadRow['purpose']
  readonly idempotencyKey: string
}

/** An import, before the server has asked what the link leads to. */
export interface WantedImport {
  readonly link: URL
  readonly purpose: UploadRow['purpose']
  readonly idempotencyKey: string
  readonly bodyHash: string
}

/** What an import begins with, and what its row needs. */
export interface LookedImport {
  readonly upload: NewUpload
  readonly store: (ctx: TxCtx, upload: UploadRow) => Promise<void>
}

/** Checks a link without asking its host. Refuses as `checkLink`, and where no host is allowed. */
export function readPastedLink(
  ctx: Pick<Ctx, 'outgoing'>,
  { link, purpose, idempotencyKey }: PastedLink,
): WantedImport {
  if (ctx.outgoing.hosts.length === 0)
    throw new Problem(
      'uploads/provider-not-offered',
      'This server cannot fetch files from there. Please upload the file from this device.',
    )
  const url = checkLink(ctx, link)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([purpose, 'link', url.href]))
    .digest('hex')
  return { link: url, purpose, idempotencyKey, bodyHash }
}

/**
 * Asks the host of a link for its file. Refuses as `lookAtLink`, and `request/too-many`: each
 * question is a request that this server makes for a person.
 */
export async function lookAtImport(ctx: UserCtx, wanted: WantedImport): Promise<LookedImport> {
  await inTransaction(ctx, async (ctx) => {
    const key = `links-looked-at:${ctx.user.id}`
    await countOrRefuse(ctx, { key, limit: LINKS_PER_HOUR, what: 'links were tried' })
  })
  const { link, ...rest } = wanted
  const { name, sizeBytes, validator, takesRanges } = await lookAtLink(ctx, link)
  return {
    upload: { ...rest, provider: 'link', clientFilename: name, sizeBytes },
    store: async (ctx, { id: uploadRequestId, userId }) => {
      const now = ctx.clock()
      await ctx.db.insert(uploadImports).values({
        uploadRequestId,
        host: link.hostname.replace(/^www\./, ''),
        linkCipher: sealLink(ctx.secrets.vault, link.href, { uploadRequestId, userId }),
        validator,
        takesRanges,
        nextAt: now,
        lastByteAt: now,
      })
      await enqueueImport(ctx, { uploadRequestId })
    },
  }
}
