/**
 * What takes a request to delete an account back: signing in. The request, and what is deleted and
 * how, are workflows (request-deletion.ts and account-erased.ts).
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { UserRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema.ts'
import { keptMail } from '#server/mail/account-mail.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'

/** For this long, signing in keeps the account. */
export const DAYS_TO_COME_BACK = 14

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
