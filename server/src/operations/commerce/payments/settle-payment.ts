import { and, eq } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow, PaymentRow } from '#server/db/rows.ts'
import { payments, walletSubscriptions } from '#server/db/schema.ts'
import { refundFailedMail, refundMail } from '#server/mail/payment-mails.ts'
import { returnReversal, reverse } from '#server/operations/core/ledger/book.ts'
import { reverseReferral } from '#server/operations/commerce/referrals/reward.ts'
import type { PaymentFacts } from '#server/payments/port.ts'
import { refusalIn } from '#server/problems.ts'
import { endSubscriptionOf } from './end-subscription.ts'
import { lockCheckout } from '#server/operations/commerce/orders/lock-checkout.ts'
import { mailOwner } from './mail.ts'
import {
  coinsOfRefunds,
  nextReading,
  standingOf,
  tokenTakers,
  withdrawalName,
} from './money-back.ts'
import { isGivenBack } from '#server/operations/core/ledger/withdrawal.ts'
import { storePaidThrough } from './paid-through.ts'

/**
 * Reads from the provider what of a payment went back, and books what came of it, each once: tokens
 * of refunds and disputes, and how the payment stands. Refunds what the person has withdrawn, and
 * ends the subscription of a month that they took back, if that was cut off before. Harmless to
 * repeat. A payment that is not booked is ignored: it is read when it is. So is one of another
 * provider, which this one cannot read.
 */
export async function settlePayment(
  ctx: Ctx,
  { paymentId }: { readonly paymentId: string },
): Promise<void> {
  const readAt = ctx.clock()
  const [stored] = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, ctx.payments.name), eq(payments.providerPaymentId, paymentId)))
  if (stored === undefined) {
    ctx.log.warn('payments/payment-not-booked', { paymentId })
    return
  }
  try {
    const facts = await readRefunded(ctx, stored)
    await inTransaction(ctx, async (ctx) => {
      await book(ctx, { stored, facts, readAt })
    })
  } finally {
    // Also when it cannot be refunded now: no next month must be billed meanwhile.
    await endIfTakenBack(ctx, stored)
  }
}

async function book(
  ctx: TxCtx,
  {
    stored,
    facts,
    readAt,
  }: { readonly stored: PaymentRow; readonly facts: PaymentFacts; readonly readAt: Date },
): Promise<void> {
  const checkout = await lockCheckout(ctx, { id: stored.checkoutSessionId })
  if (checkout === undefined) throw new Error(`Payment ${stored.id} has no checkout session`)
  const row = onlyRow(
    await ctx.db.select().from(payments).where(eq(payments.id, stored.id)).for('update'),
  )
  const standing = standingOf(row, facts)
  // Before other bookings: it locks the wallets of two people, by id.
  if (isGivenBack({ ...row, ...standing })) await reverseReferral(ctx, row)
  await bookFailedRefunds(ctx, checkout, facts)
  await bookRefunds(ctx, checkout, row, facts)
  await bookDispute(ctx, checkout, row, facts)
  // Bookings only ever add; how it stands is shown by the latest reading.
  if (row.readAt !== null && row.readAt > readAt) return
  await ctx.db
    .update(payments)
    .set({ ...standing, readAt, readDueAt: nextReading(row, facts, readAt) })
    .where(eq(payments.id, row.id))
  await storeMonthsOf(ctx, row)
  await tellChange(ctx, { row, facts, standing })
}

/** The security log and the mails of how a payment stands now, when that has changed. */
async function tellChange(
  ctx: TxCtx,
  {
    row,
    facts,
    standing,
  }: {
    readonly row: PaymentRow
    readonly facts: PaymentFacts
    readonly standing: ReturnType<typeof standingOf>
  },
): Promise<void> {
  const { id: payment, userId } = row
  if (standing.state !== row.state)
    await ctx.security.record(ctx.db, {
      event: 'payment-changed',
      userId,
      facts: { payment, state: standing.state },
    })
  const cents = standing.refundedCents - row.refundedCents
  if (cents > 0) await mailOwner(ctx, row, (to) => refundMail(to, { ...row, cents }))
  const isTriedAgain = isOwed(row, facts)
  if (cents < 0)
    await mailOwner(ctx, row, (to) => refundFailedMail(to, { ...row, cents: -cents, isTriedAgain }))
}

/** Until when the subscription of a payment is paid, after a change of the payment. */
export async function storeMonthsOf(
  ctx: Pick<TxCtx, 'db'>,
  { walletSubscriptionId }: Pick<PaymentRow, 'walletSubscriptionId'>,
): Promise<void> {
  if (walletSubscriptionId === null) return
  const rows = await ctx.db
    .select()
    .from(walletSubscriptions)
    .where(eq(walletSubscriptions.id, walletSubscriptionId))
    .for('update')
  await storePaidThrough(ctx, onlyRow(rows))
}

/** Ends the subscription of a month that its person took back; is due again when that fails. */
async function endIfTakenBack(ctx: Ctx, { id }: Pick<PaymentRow, 'id'>): Promise<void> {
  const row = onlyRow(await ctx.db.select().from(payments).where(eq(payments.id, id)))
  if (row.withdrawnAt === null && row.state !== 'lost') return
  try {
    await endSubscriptionOf(ctx, row)
  } catch (error) {
    await ctx.db.update(payments).set({ readDueAt: ctx.clock() }).where(eq(payments.id, id))
    throw error
  }
}

/** True while no refund of a withdrawal has reached the person, or one came back. */
function isOwed(row: PaymentRow, { refunds }: PaymentFacts): boolean {
  const key = withdrawalName(row)
  return row.withdrawnCents !== null && !refunds.some((refund) => refund.key === key)
}

/** The payment as the provider has it, after the refund of a withdrawal. */
async function readRefunded(ctx: Ctx, row: PaymentRow): Promise<PaymentFacts> {
  const { providerPaymentId, withdrawnCents } = row
  const facts = await ctx.payments.readPayment(providerPaymentId)
  // Providers forget keys after a day, so that the key alone would not keep it from a second time.
  if (withdrawnCents === null || !isOwed(row, facts)) return facts
  const key = withdrawalName(row)
  await ctx.payments.refund(providerPaymentId, withdrawnCents, key).catch((error: unknown) => {
    if (refusalIn(error)?.code !== 'payments/not-withdrawable') throw error
    // The bank or the provider's own pages were first: what they gave back is booked all the same.
    ctx.log.warn('payments/refund-refused', { paymentId: providerPaymentId })
  })
  return await ctx.payments.readPayment(providerPaymentId)
}

async function bookRefunds(
  ctx: TxCtx,
  { walletId }: CheckoutRow,
  row: PaymentRow,
  facts: PaymentFacts,
): Promise<void> {
  const refunds = tokenTakers(row, facts)
  for (const { refundId, key, coinAmount } of coinsOfRefunds(row, { refunds })) {
    if (coinAmount === 0 || key === withdrawalName(row)) continue
    await reverse(ctx, {
      walletId,
      kind: 'purchase-reversal',
      purchaseId: row.walletTransactionId,
      coinAmount,
      cause: `refund:${refundId}`,
      description: 'Payment refunded',
    })
  }
}

/** Returns what failed refunds took. A withdrawal's took nothing: it is refunded again instead. */
async function bookFailedRefunds(
  ctx: TxCtx,
  { walletId }: CheckoutRow,
  { failedRefundIds }: PaymentFacts,
): Promise<void> {
  for (const refundId of failedRefundIds)
    await returnReversal(ctx, {
      walletId,
      kind: 'adjustment',
      cause: `refund:${refundId}:returned`,
      reversalCause: `refund:${refundId}`,
      description: 'Refund failed',
    })
}

async function bookDispute(
  ctx: TxCtx,
  { walletId }: CheckoutRow,
  row: PaymentRow,
  facts: PaymentFacts,
): Promise<void> {
  const { dispute } = facts
  if (dispute === null) return
  const chargebackCause = `dispute:${dispute.disputeId}`
  if (dispute.state === 'won') {
    await returnReversal(ctx, {
      walletId,
      kind: 'chargeback-returned',
      cause: `${chargebackCause}:returned`,
      reversalCause: chargebackCause,
      description: 'Dispute won',
    })
    return
  }
  const { amountCents, disputeId: refundId } = dispute
  const both = { refunds: [...tokenTakers(row, facts), { refundId, amountCents, key: null }] }
  const coinAmount = coinsOfRefunds(row, both).at(-1)?.coinAmount ?? 0
  if (coinAmount === 0) return
  await reverse(ctx, {
    walletId,
    kind: 'chargeback',
    purchaseId: row.walletTransactionId,
    coinAmount,
    cause: chargebackCause,
    description: 'Payment disputed',
  })
}
