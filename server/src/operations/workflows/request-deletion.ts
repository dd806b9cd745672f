import { eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { sessions, users } from '#server/db/schema.ts'
import { deletionMail } from '#server/mail/account-mail.ts'
import { DAYS_TO_COME_BACK } from '#server/operations/accounts/users/keep-account.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { Problem } from '#server/problems.ts'
import { endBilling } from './end-billing.ts'

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
