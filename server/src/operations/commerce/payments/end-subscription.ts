import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import { walletSubscriptions } from '#server/db/schema.ts'
import { settleSubscription } from './settle-subscription.ts'

/**
 * Ends the subscription of a month whose money its person took back, so that nothing is billed for
 * it and a new one can begin. Where a later month is paid, it stays. Harmless to repeat.
 */
export async function endSubscriptionOf(
  ctx: Ctx,
  { walletSubscriptionId }: Pick<PaymentRow, 'walletSubscriptionId'>,
): Promise<void> {
  if (walletSubscriptionId === null) return
  const rows = await ctx.db
    .select()
    .from(walletSubscriptions)
    .where(eq(walletSubscriptions.id, walletSubscriptionId))
  const { status, paidThrough, providerSubscriptionId: subscriptionId } = onlyRow(rows)
  if (status === 'expired' || (paidThrough !== null && paidThrough > ctx.clock())) return
  await ctx.payments.endNow(subscriptionId)
  await settleSubscription(ctx, { subscriptionId })
}
