import { createHmac, timingSafeEqual } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { NoticeKind } from '#server/db/rows.ts'
import { NOTICE_KINDS, users } from '#server/db/schema.ts'

/** What mails of one kind to one account are known by. */
interface Subscription {
  readonly userId: string
  readonly kind: NoticeKind
}

type SecretsCtx = { readonly secrets: Pick<Ctx['secrets'], 'unsubscribe'> }

/** Where the page stands that ends mails; beside the contract, because mail programs call it. */
export const UNSUBSCRIBE_PATH = '/editors/unsubscribe'

/**
 * The address in a mail at which a press ends such mails, without signing in. It has no end of its
 * own, because mails are kept: it opens nothing, and works as long as its key is accepted.
 */
export function unsubscribeUrl(
  ctx: SecretsCtx & Pick<Ctx, 'settings'>,
  subscription: Subscription,
): string {
  const url = new URL(UNSUBSCRIBE_PATH, ctx.settings.publicOrigin)
  url.searchParams.set('token', tokenOf(ctx.secrets.unsubscribe.signing, subscription))
  return url.href
}

/** What a token of a mail ends; null for one that this server has not made. */
export function readUnsubscribeToken(ctx: SecretsCtx, token: string): Subscription | null {
  const [userId = '', name = ''] = token.split('.', 2)
  const kind = NOTICE_KINDS.find((known) => known === name)
  if (kind === undefined) return null
  const given = Buffer.from(token)
  const isOurs = ctx.secrets.unsubscribe.accepted.some((key) => {
    const expected = Buffer.from(tokenOf(key, { userId, kind }))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isOurs ? { userId, kind } : null
}

/** Ends mails of a kind. Repeating is harmless; the person can have them again on their page. */
export async function unsubscribe(ctx: Ctx, { userId, kind }: Subscription): Promise<void> {
  await ctx.db
    .update(users)
    .set({ noticesOff: sql`array_append(array_remove(${users.noticesOff}, ${kind}), ${kind})` })
    .where(eq(users.id, userId))
}

function tokenOf(key: Uint8Array, { userId, kind }: Subscription): string {
  const content = `${userId}.${kind}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}
