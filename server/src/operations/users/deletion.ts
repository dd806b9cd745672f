/**
 * The request to delete an account, and what takes it back: signing in. What is deleted, and how,
 * is in erase.ts.
 */
import { and, eq, isNull } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UserRow } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema.ts'
import { deletionMail, keptMail } from '#server/mail/account-mail.ts'
import { queueMail } from '#server/operations/mail/send.ts'
import { Problem } from '#server/problems.ts'
import { endBilling } from './end-billing.ts'

/** For this long, signing in keeps the account. */
export const DAYS_TO_COME_BACK = 14

/**
 * Asks for the deletion of the user's account: nothing is billed any more, every session ends, and
 * a mail says until when signing in keeps the account. Returns that time. Refuses:
 * `request/invalid` unless `email` is the account's address, `payments/provider-away`.
 */
export async function requestDeletion(
  ctx: UserCtx,
  { email }: { readonly email: string },
): Promise<Date> {
  if (email.toLowerCase() !== ctx.user.email) {
    const message = 'This is not the address of your account'
    throw new Problem('request/invalid', `${message}.`, { fields: { email: message } })
  }
  // First, because it can fail: an account that waits for its end must not be billed.
  await endBilling(ctx, { userId: ctx.user.id })
  return await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock()
    const deletesAt = new Date(now.getTime() + DAYS_TO_COME_BACK * 86_400_000)
    // The row's lock comes first, so that a sign-in at the same time either ends with the other
    // sessions or finds the request and takes it back.
    await ctx.db.update(users).set({ deletionRequestedAt: now }).where(eq(users.id, ctx.user.id))
    await ctx.db.delete(sessions).where(eq(sessions.userId, ctx.user.id))
    await ctx.security.record(ctx.db, { event: 'deletion-requested', userId: ctx.user.id })
    const logInUrl = new URL('/login', ctx.settings.publicOrigin).href
    await queueMail(ctx, deletionMail({ to: ctx.user.email, deletesAt, logInUrl }))
    return deletesAt
  })
}

/**
 * Takes a request to delete the account back, if there is one, because its person signs in. Null
 * when the account is deleted already.
 */
export async function keepAccount(
  ctx: TxCtx,
  { userId }: { readonly userId: string },
): Promise<UserRow | null> {
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .for('no key update')
  if (user === undefined) return null
  if (user.deletionRequestedAt === null) return user
  await ctx.db.update(users).set({ deletionRequestedAt: null }).where(eq(users.id, userId))
  await queueMail(ctx, keptMail({ to: user.email }))
  return { ...user, deletionRequestedAt: null }
}
