import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { checkoutSessions, payments, walletSubscriptions } from '#server/db/schema.ts'
import { listDueOwners, rewardOwner } from '#server/operations/commerce/referrals/owner-reward.ts'
import { listUnsettledEvents, settleEvent } from './events.ts'
import { refreshCheckout } from './refresh.ts'
import { settlePayment } from './settle-payment.ts'
import { settleSubscription } from './settle-subscription.ts'

/** What of each kind is read again in one minute; the rest, read longest ago, comes next. */
const AT_ONCE = 100
/** A person who is paying needs longer than this; until then their page reads the session. */
const LEFT_ALONE_MS = 2 * 60_000

/**
 * Once a minute: moves a provider inside this server on, and reads again what must have changed
 * without a notice. Harmless to repeat; what fails is due again, behind all that is due by then.
 */
export async function tickPayments(ctx: Ctx): Promise<void> {
  await attempt(ctx, 'provider', async () => await ctx.payments.inner?.tick())
  const before = new Date(ctx.clock().getTime() - LEFT_ALONE_MS)
  for (const name of await listUnsettledEvents(ctx, { before, limit: AT_ONCE }))
    await attempt(ctx, name.eventId, async () => await settleEvent(ctx, name))
  for (const row of await listOpenSessions(ctx, before))
    await attempt(ctx, row.id, async () => await refreshCheckout(ctx, { row }))
  for (const { id, subscriptionId } of await listDueSubscriptions(ctx))
    await attempt(ctx, subscriptionId, async () => {
      const given = { readDueAt: ctx.clock() }
      await ctx.db.update(walletSubscriptions).set(given).where(eq(walletSubscriptions.id, id))
      await settleSubscription(ctx, { subscriptionId })
    })
  for (const { id, paymentId } of await listDuePayments(ctx))
    await attempt(ctx, paymentId, async () => {
      await ctx.db.update(payments).set({ readDueAt: ctx.clock() }).where(eq(payments.id, id))
      await settlePayment(ctx, { paymentId })
    })
  for (const owed of await listDueOwners(ctx))
    await attempt(ctx, owed.refereeId, async () => await rewardOwner(ctx, owed, readAgain(ctx)))
}

/** A payment of another provider cannot be read; it stands as it was last read. */
function readAgain(ctx: Ctx): Parameters<typeof rewardOwner>[2] {
  return async ({ provider, providerPaymentId: paymentId }) => {
    if (provider === ctx.payments.name) await settlePayment(ctx, { paymentId })
  }
}

async function attempt(ctx: Ctx, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.log.warn('payments/tick-failed', { what, error })
  }
}

async function listOpenSessions(ctx: Ctx, before: Date) {
  return await ctx.db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.provider, ctx.payments.name),
        isNull(checkoutSessions.settledAt),
        lt(checkoutSessions.createdAt, before),
      ),
    )
    .orderBy(sql`${checkoutSessions.readAt} asc nulls first`)
    .limit(AT_ONCE)
}

async function listDueSubscriptions(ctx: Ctx) {
  return await ctx.db
    .select({
      id: walletSubscriptions.id,
      subscriptionId: walletSubscriptions.providerSubscriptionId,
    })
    .from(walletSubscriptions)
    .where(
      and(
        eq(walletSubscriptions.provider, ctx.payments.name),
        lte(walletSubscriptions.readDueAt, ctx.clock()),
      ),
    )
    .orderBy(asc(walletSubscriptions.readDueAt))
    .limit(AT_ONCE)
}

async function listDuePayments(ctx: Ctx) {
  return await ctx.db
    .select({ id: payments.id, paymentId: payments.providerPaymentId })
    .from(payments)
    .where(and(eq(payments.provider, ctx.payments.name), lte(payments.readDueAt, ctx.clock())))
    .orderBy(asc(payments.readDueAt))
    .limit(AT_ONCE)
}
