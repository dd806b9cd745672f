import { eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { purchaseMail, type ForOrder } from '#server/mail/payment-mails.ts'
import { grant } from '#server/operations/core/ledger/book.ts'
import { lockOrder } from '#server/operations/commerce/orders/find.ts'
import { payOrderByCard } from '#server/operations/commerce/orders/pay-by-card.ts'
import type { PaidFacts, SessionFacts } from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'
import { lockCheckout } from '#server/operations/commerce/orders/lock-checkout.ts'
import { storePayment } from './store-payment.ts'
import { settleSubscription } from './settle-subscription.ts'

/**
 * Reads a session from the provider and books what came of it, each once: tokens, the order that
 * they were bought for, the subscription. Harmless to repeat. A session that is not ours is
 * ignored.
 */
export async function settleSession(
  ctx: Ctx,
  { providerSessionId }: { readonly providerSessionId: string },
): Promise<void> {
  const facts = await ctx.payments.readSession(providerSessionId)
  if (facts.subscriptionId !== null)
    await settleSubscription(ctx, { subscriptionId: facts.subscriptionId })
  await inTransaction(ctx, async (ctx) => {
    const row = await lockCheckout(ctx, { id: facts.reference })
    if (row === undefined) {
      ctx.log.warn('payments/session-not-ours', { providerSessionId })
      return
    }
    if (row.settledAt === null) await book(ctx, row, facts)
  })
}

async function book(ctx: TxCtx, row: CheckoutRow, facts: SessionFacts): Promise<void> {
  // A reading that began earlier may come later; an end is never taken back.
  if (row.status !== 'open' && facts.status === 'open') return
  if (row.kind === 'tokens' && facts.paid !== null) await bookTokens(ctx, row, facts.paid)
  const isOver =
    facts.status === 'expired' || facts.payment === 'paid' || facts.payment === 'failed'
  await ctx.db
    .update(checkoutSessions)
    .set({
      providerSessionId: facts.providerSessionId,
      status: facts.status,
      payment: facts.payment,
      settledAt: isOver ? ctx.clock() : null,
    })
    .where(eq(checkoutSessions.id, row.id))
}

/** Credits what this server's own row says was charged: taxes and currencies change the amount. */
async function bookTokens(ctx: TxCtx, row: CheckoutRow, paid: PaidFacts): Promise<void> {
  const coinAmount = row.chargedCoinAmount ?? 0
  const { walletId, orderId } = row
  const owner = { ...ctx, user: { id: row.userId } }
  const locked = orderId === null ? null : await lockOrder(owner, { orderId }).catch(nullIfGone)
  const { id: walletTransactionId } = await grant(ctx, {
    walletId,
    kind: 'purchase',
    coinAmount,
    description: 'Tokens bought',
    cause: `checkout:${row.id}`,
    expiresAt: null,
  })
  const forOrder: ForOrder =
    locked === null
      ? { kind: 'none' }
      : await payOrder(ctx, row, {
          ...locked,
          walletId,
          coinAmount: coinAmount + row.walletCoinAmount,
        })
  const payment = {
    ...paid,
    userId: row.userId,
    checkoutSessionId: row.id,
    walletSubscriptionId: null,
    walletTransactionId,
    coinAmount,
  }
  await storePayment(ctx, payment, (to, words) => purchaseMail(to, { ...words, forOrder }))
}

async function payOrder(
  ctx: TxCtx,
  { id }: CheckoutRow,
  payment: Omit<Parameters<typeof payOrderByCard>[1], 'cause'>,
): Promise<ForOrder> {
  const { id: orderId } = payment.order
  const taken = await payOrderByCard(ctx, { ...payment, cause: `order:${orderId}:card:${id}` })
  return taken === 0 ? { kind: 'kept' } : { kind: 'used', orderId }
}

/** The job of an order ends with its account; the money that comes later is booked all the same. */
function nullIfGone(error: unknown): null {
  if (error instanceof Problem && error.code === 'orders/not-found') return null
  throw error
}
