import { and, eq, isNull, max, ne, or } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'
import { payments, walletSubscriptions, walletTransactions } from '#server/db/schema.ts'

/**
 * A month's tokens outlive it by a day: a provider bills the next month up to hours after it began,
 * and the balance must not be 0 between two paid months.
 */
export const TOKENS_OUTLIVE_MS = 24 * 60 * 60 * 1000

/**
 * Stores until when a subscription is paid, which its rights follow from, and returns it; null when
 * no month counts. A month counts from its booking until its person takes the money back, by a
 * withdrawal or by a dispute. One that the seller refunds still counts: that is the seller's gift.
 * The caller holds the lock of the checkout session.
 */
export async function storePaidThrough(
  ctx: Pick<TxCtx, 'db'>,
  { id, walletId }: Pick<SubscriptionRow, 'id' | 'walletId'>,
): Promise<Date | null> {
  const [last] = await ctx.db
    .select({ expiresAt: max(walletTransactions.coinsExpireAfterAt) })
    .from(walletTransactions)
    .leftJoin(payments, eq(payments.walletTransactionId, walletTransactions.id))
    .where(
      and(
        eq(walletTransactions.walletId, walletId),
        eq(walletTransactions.kind, 'subscription-grant'),
        or(eq(walletTransactions.subscriptionId, id), eq(payments.walletSubscriptionId, id)),
        // A month that a discount made free has no payment.
        or(isNull(payments.id), and(isNull(payments.withdrawnAt), ne(payments.state, 'lost'))),
      ),
    )
  const expiresAt = last?.expiresAt ?? null
  const paidThrough = expiresAt === null ? null : new Date(expiresAt.getTime() - TOKENS_OUTLIVE_MS)
  await ctx.db
    .update(walletSubscriptions)
    .set({ paidThrough })
    .where(eq(walletSubscriptions.id, id))
  return paidThrough
}
