import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { walletSubscriptions } from '#server/db/schema.ts'
import { settleSubscription } from '#server/operations/payments/settle-subscription.ts'
import { Problem } from '#server/problems.ts'

/**
 * Cancels every subscription of a person at the provider, so that no further month is billed;
 * repeating is harmless. Refuses: `payments/provider-away`, also when a provider that this server
 * does not have any more goes on billing. The one of tests moves no money.
 */
export async function endBilling(ctx: Ctx, { userId }: { readonly userId: string }): Promise<void> {
  const running = await ctx.db
    .select({
      subscriptionId: walletSubscriptions.providerSubscriptionId,
      provider: walletSubscriptions.provider,
    })
    .from(walletSubscriptions)
    .where(
      and(
        eq(walletSubscriptions.userId, userId),
        inArray(walletSubscriptions.status, ['active', 'payment-problem']),
      ),
    )
  for (const { subscriptionId, provider } of running) {
    if (provider === ctx.payments.name) {
      await ctx.payments.cancelAtPeriodEnd(subscriptionId)
      await settleSubscription(ctx, { subscriptionId })
    } else if (provider !== 'test') {
      ctx.log.warn('account/other-provider', { subscriptionId, provider })
      throw new Problem(
        'payments/provider-away',
        'Your subscription cannot be cancelled at the moment. Please try again later, or contact us.',
      )
    }
  }
}
