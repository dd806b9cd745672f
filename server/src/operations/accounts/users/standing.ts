import { eq, sql } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { users, walletSubscriptions } from '#server/db/schema.ts'
import type { SubscriptionStanding } from '#server/policies/permissions.ts'

/**
 * What permissions need to know of a user's subscriptions, as columns for a query of `users`: every
 * call reads them with its session, in one statement. Plain text, because a query of one table
 * drops the names of tables, and both have an `id`.
 */
export const standingColumns = {
  hasSubscribed: sql<boolean>`exists (
    select 1 from wallet_subscriptions s where s.user_id = users.id
  )`,
  paidThrough: sql<Date | null>`(
    select max(s.paid_through) from wallet_subscriptions s
    where s.user_id = users.id and s.status <> 'expired'
  )`.mapWith(walletSubscriptions.paidThrough),
}

/** The same for one user. */
export async function readStanding(
  ctx: Pick<ReadCtx, 'db'>,
  { userId }: { readonly userId: string },
): Promise<SubscriptionStanding> {
  return onlyRow(await ctx.db.select(standingColumns).from(users).where(eq(users.id, userId)))
}
