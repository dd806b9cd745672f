import { and, asc, eq, isNotNull, lt, or } from 'drizzle-orm'
import type { Ctx, TxCtx, WithUser } from '#server/context.ts'
import type { ExternalAuthRow } from '#server/db/rows.ts'
import { externalAuths } from '#server/db/schema.ts'
import { unseal } from '#server/db/vault.ts'
import { DriveFault } from '#server/drives/port.ts'
import { notFound } from '#server/problems.ts'
import { tokenPlace } from './tokens.ts'

/** Google is asked to forget a token until this is over. */
const KEEP_ASKING_MS = 7 * 86_400_000
/** Drives that one sweep asks about. */
const AT_ONCE = 50

/**
 * Disconnects a drive, so that nothing is read from it and nothing saved to it any more. Returns
 * its row, whose tokens `revoke` makes worthless after the commit; null where it was disconnected
 * before. Refuses: `external-auths/not-found`.
 */
export async function markDisconnected(
  ctx: TxCtx & WithUser,
  { id }: { readonly id: string },
): Promise<ExternalAuthRow | null> {
  const isOwn = and(eq(externalAuths.id, id), eq(externalAuths.userId, ctx.user.id))
  const [row] = await ctx.db.select().from(externalAuths).where(isOwn).for('update')
  if (row === undefined) throw notFound('external-auths/not-found')
  if (row.disconnectedAt !== null) return null
  await ctx.db
    .update(externalAuths)
    .set({ disconnectedAt: ctx.clock(), accessCipher: null })
    .where(isOwn)
  return row
}

/** Asks again where a provider did not answer; gives it up after a week. */
export async function revokeDisconnected(ctx: Ctx): Promise<void> {
  const unrevoked = await ctx.db
    .select()
    .from(externalAuths)
    .where(and(isNotNull(externalAuths.disconnectedAt), isNotNull(externalAuths.refreshCipher)))
    .orderBy(asc(externalAuths.disconnectedAt))
    .limit(AT_ONCE)
  for (const row of unrevoked) await revoke(ctx, row)
  await ctx.db
    .update(externalAuths)
    .set({ refreshCipher: null })
    .where(
      and(
        lt(externalAuths.disconnectedAt, new Date(ctx.clock().getTime() - KEEP_ASKING_MS)),
        isNotNull(externalAuths.refreshCipher),
      ),
    )
}

/** Revokes the drives of an account that is erased, and forgets them in any case. */
export async function forgetDrives(
  ctx: Ctx,
  { userId }: { readonly userId: string },
): Promise<void> {
  const isOwn = eq(externalAuths.userId, userId)
  const hasToken = or(isNotNull(externalAuths.refreshCipher), isNotNull(externalAuths.accessCipher))
  for (const row of await ctx.db.select().from(externalAuths).where(and(isOwn, hasToken)))
    await revoke(ctx, row)
  await ctx.db.delete(externalAuths).where(isOwn)
}

/** Tells the provider, and forgets the token that it was told of. */
export async function revoke(ctx: Ctx, row: ExternalAuthRow): Promise<void> {
  const { vault } = ctx.secrets
  const { refreshCipher, accessCipher } = row
  const token =
    refreshCipher === null
      ? accessCipher && unseal(vault, accessCipher, tokenPlace('access_cipher', row))
      : unseal(vault, refreshCipher, tokenPlace('refresh_cipher', row))
  try {
    if (token !== null) await ctx.googleDrive?.revoke(token)
  } catch (error) {
    if (!(error instanceof DriveFault)) throw error
    ctx.log.warn('drives/not-revoked', { externalAuthId: row.id })
    return
  }
  if (refreshCipher === null) return
  // It may have been connected again meanwhile, with another token.
  await ctx.db
    .update(externalAuths)
    .set({ refreshCipher: null })
    .where(and(eq(externalAuths.id, row.id), eq(externalAuths.refreshCipher, refreshCipher)))
}
