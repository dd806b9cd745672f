import { and, eq, ne } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { walletSubscriptions } from '#server/db/schema.ts'
import { settleSubscription } from '#server/operations/commerce/payments/settle-subscription.ts'
import { refusalIn } from '#server/problems.ts'

/**
 * Sees to it that nothing is billed to a person any more; repeating is harmless. A subscription
 * that the provider does not know, or of a provider that this server has no more, is for the
 * operator: it is logged as an error, and the account is deleted all the same. Refuses:
 * `payments/provider-away`.
 */
export async function endBilling(ctx: Ctx, { userId }: { readonly userId: string }): Promise<void> {
  const running = await ctx.db
    .select({
      subscriptionId: walletSubscriptions.providerSubscriptionId,
      provider: walletSubscriptions.provider,
    })
    .from(walletSubscriptions)
    .where(and(eq(walletSubscriptions.userId, userId), ne(walletSubscriptions.status, 'expired')))
  for (const { subscriptionId, provider } of running) {
    if (provider === ctx.payments.name) await endSubscription(ctx, subscriptionId)
    // The one of tests moves no money.
    else if (provider !== 'test')
      ctx.log.error('account/other-provider', 'Cancel it there', { subscriptionId, provider })
  }
}

async function endSubscription(ctx: Ctx, subscriptionId: string): Promise<void> {
  try {
    // First, so that no month begins between the reading and the end.
    await ctx.payments.cancelAtPeriodEnd(subscriptionId)
    const { state, invoices } = await ctx.payments.readSubscription(subscriptionId)
    const isOwed = invoices.some((one) => !one.isPaid)
    if (state !== 'ended' && isOwed) await ctx.payments.endNow(subscriptionId)
    await settleSubscription(ctx, { subscriptionId })
  } catch (error) {
    if (refusalIn(error)?.code !== 'subscriptions/not-found') throw error
    ctx.log.error('account/subscription-not-found', error, { subscriptionId })
  }
}
