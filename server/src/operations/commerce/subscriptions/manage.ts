import { and, desc, eq } from 'drizzle-orm'
import { inTransaction, type ReadCtx, type UserCtx, type WithUser } from '#server/context.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'
import { walletSubscriptions } from '#server/db/schema.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { settleSubscription } from '#server/operations/commerce/payments/settle-subscription.ts'
import { notFound, Problem } from '#server/problems.ts'

/** Each change costs calls to the provider. */
const CHANGES_PER_HOUR = 60

/** Names one of the user's subscriptions. */
interface SubscriptionName {
  readonly id: string
}

/** The user's subscriptions, newest first, ended ones included. */
export async function listSubscriptions(ctx: ReadCtx & WithUser): Promise<SubscriptionRow[]> {
  return await ctx.db
    .select()
    .from(walletSubscriptions)
    .where(eq(walletSubscriptions.userId, ctx.user.id))
    .orderBy(desc(walletSubscriptions.createdAt), desc(walletSubscriptions.id))
}

/** One of the user's subscriptions, or `subscriptions/not-found`. */
export async function getSubscription(
  ctx: ReadCtx & WithUser,
  { id }: SubscriptionName,
): Promise<SubscriptionRow> {
  const [row] = await ctx.db
    .select()
    .from(walletSubscriptions)
    .where(and(eq(walletSubscriptions.id, id), eq(walletSubscriptions.userId, ctx.user.id)))
  if (row === undefined) throw notFound('subscriptions/not-found')
  return row
}

/**
 * Cancels at the end of the period; repeating is harmless. Refuses: `subscriptions/not-found`,
 * `subscriptions/not-cancelable` when it is over, `request/too-many`, `payments/provider-away`.
 */
export async function cancelSubscription(
  ctx: UserCtx,
  name: SubscriptionName,
): Promise<SubscriptionRow> {
  const { status, providerSubscriptionId } = await getSubscription(ctx, name)
  if (status === 'expired')
    throw new Problem('subscriptions/not-cancelable', 'This subscription is already over.')
  await countChange(ctx)
  await ctx.payments.cancelAtPeriodEnd(providerSubscriptionId)
  await settleSubscription(ctx, { subscriptionId: providerSubscriptionId })
  return await getSubscription(ctx, name)
}

/**
 * Takes a cancellation back; repeating is harmless. Refuses: `subscriptions/not-found`,
 * `subscriptions/not-resumable` when it is over, `request/too-many`, `payments/provider-away`.
 */
export async function resumeSubscription(
  ctx: UserCtx,
  name: SubscriptionName,
): Promise<SubscriptionRow> {
  const { status, providerSubscriptionId } = await getSubscription(ctx, name)
  if (status === 'expired')
    throw new Problem(
      'subscriptions/not-resumable',
      'This subscription is over. You can subscribe again.',
    )
  await countChange(ctx)
  await ctx.payments.resume(providerSubscriptionId)
  await settleSubscription(ctx, { subscriptionId: providerSubscriptionId })
  return await getSubscription(ctx, name)
}

async function countChange(ctx: UserCtx): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `subscription-change:${ctx.user.id}`,
      limit: CHANGES_PER_HOUR,
      what: 'changes of a subscription were asked for',
    })
  })
}
