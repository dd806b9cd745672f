import { and, eq, isNull, ne } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions, walletSubscriptions } from '#server/db/schema.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { listWallets } from '#server/operations/core/ledger/wallets.ts'
import { refuseOff } from '#server/policies/refuse-off.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { STANDARD_PLAN } from './amounts.ts'
import { CHECKOUTS_PER_HOUR } from './buy-tokens.ts'
import { refuseDisputed } from './disputes.ts'
import { newCheckout, openCheckout } from './open.ts'
import { refreshCheckout } from './refresh.ts'

/**
 * Begins a subscription. An open session of the same person and plan is used again: there is never
 * more than one. Needs create:walletSubscriptions. Refuses: `payments/off`,
 * `subscriptions/plan-not-offered`, `subscriptions/already-active`, `payments/disputed`,
 * `request/too-many`, `payments/provider-away`.
 */
export async function subscribe(
  ctx: UserCtx,
  { planSlug }: { readonly planSlug: string },
): Promise<{ readonly row: CheckoutRow; readonly isNew: boolean }> {
  refuseOff(ctx)
  requirePermission(ctx.user, 'create:walletSubscriptions')
  if (planSlug !== STANDARD_PLAN.slug)
    throw new Problem('subscriptions/plan-not-offered', 'This plan is not offered.', {
      fields: { 'stripeCheckoutSession.planSlug': 'is not offered' },
    })
  for (const row of await listUnsettled(ctx)) await refreshCheckout(ctx, { row })
  const { row, isNew } = await inTransaction(ctx, async (ctx) => {
    await refuseSecond(ctx)
    await refuseDisputed(ctx)
    return await findOrStore(ctx)
  })
  return { row: await openCheckout(ctx, { row }), isNew }
}

async function listUnsettled(ctx: UserCtx): Promise<CheckoutRow[]> {
  return await ctx.db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.userId, ctx.user.id),
        eq(checkoutSessions.kind, 'subscription'),
        isNull(checkoutSessions.settledAt),
      ),
    )
}

async function refuseSecond(ctx: Pick<UserCtx, 'user'> & Pick<TxCtx, 'db'>): Promise<void> {
  const running = await ctx.db
    .select({ id: walletSubscriptions.id })
    .from(walletSubscriptions)
    .where(
      and(eq(walletSubscriptions.userId, ctx.user.id), ne(walletSubscriptions.status, 'expired')),
    )
    .limit(1)
  if (running.length > 0)
    throw new Problem('subscriptions/already-active', 'You already have a subscription.')
  const paying = await ctx.db
    .select({ id: checkoutSessions.id })
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.userId, ctx.user.id),
        eq(checkoutSessions.kind, 'subscription'),
        eq(checkoutSessions.status, 'complete'),
        isNull(checkoutSessions.settledAt),
      ),
    )
    .limit(1)
  if (paying.length > 0)
    throw new Problem(
      'subscriptions/already-active',
      'The first payment of your subscription is on its way.',
    )
}

async function findOrStore(
  ctx: TxCtx & Pick<UserCtx, 'user'>,
): Promise<{ row: CheckoutRow; isNew: boolean }> {
  const open = await findOpen(ctx)
  if (open !== undefined) return { row: open, isNew: false }
  const limit = { limit: CHECKOUTS_PER_HOUR, what: 'payments were begun' }
  // Holds a lock of this account until the commit, so that two calls do not both find none.
  await countOrRefuse(ctx, { key: `checkout:${ctx.user.id}`, ...limit })
  const meanwhile = await findOpen(ctx)
  if (meanwhile !== undefined) return { row: meanwhile, isNew: false }
  const [first] = await listWallets(ctx)
  if (first === undefined) throw new Error(`The account ${ctx.user.id} has no wallet`)
  const common = newCheckout(ctx)
  const inserted = await ctx.db
    .insert(checkoutSessions)
    .values({
      ...common,
      userId: ctx.user.id,
      walletId: first.wallet.id,
      kind: 'subscription',
      planSlug: STANDARD_PLAN.slug,
      intentKey: `subscription:${common.id}`,
    })
    .returning()
  return { row: onlyRow(inserted), isNew: true }
}

async function findOpen(
  ctx: Pick<UserCtx, 'user'> & Pick<TxCtx, 'db'>,
): Promise<CheckoutRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.userId, ctx.user.id),
        eq(checkoutSessions.kind, 'subscription'),
        eq(checkoutSessions.status, 'open'),
      ),
    )
  return row
}
