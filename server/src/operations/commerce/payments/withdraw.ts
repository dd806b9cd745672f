import { eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import { payments } from '#server/db/schema.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { reverseUnused } from '#server/operations/core/ledger/book.ts'
import { readReward } from '#server/operations/commerce/referrals/reward.ts'
import { Problem } from '#server/problems.ts'
import { getPayment, type ListedPayment, type PaymentName } from './history.ts'
import { lockCheckout } from '#server/operations/commerce/orders/lock-checkout.ts'
import { centsOfCoins, withdrawalName } from './money-back.ts'
import { settlePayment, storeMonthsOf } from './settle-payment.ts'

/** Each call may read the provider. */
const CALLS_PER_HOUR = 60

/**
 * Gives the unused tokens of a payment back within 14 days, for their whole price. The tokens and
 * the rights of a month are taken first, so that none is used while it is refunded; the money and
 * the end of the subscription follow, with the next minute if the provider is away. Repeating gives
 * the payment as it is. Refuses: `payments/not-found`, `payments/not-withdrawable`,
 * `request/too-many`, `payments/provider-away` when the payment cannot be read now.
 */
export async function withdrawPayment(ctx: UserCtx, name: PaymentName): Promise<ListedPayment> {
  const known = await getPayment(ctx, name)
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `withdraw:${ctx.user.id}`,
      limit: CALLS_PER_HOUR,
      what: 'withdrawals were asked for',
    })
  })
  const paymentId = known.row.providerPaymentId
  // Money that went back unheard of has taken tokens, which are not given back as well.
  if (known.row.withdrawnAt === null) await settlePayment(ctx, { paymentId })
  const { row, withdrawable } = await getPayment(ctx, name)
  if (row.withdrawnAt === null) {
    if (withdrawable === null) throw notWithdrawable()
    await inTransaction(ctx, async (ctx) => {
      await takeTokens(ctx, row)
    })
  }
  await settlePayment(ctx, { paymentId }).catch((error: unknown) => {
    ctx.log.warn('payments/refund-waits', { paymentId, error })
  })
  return await getPayment(ctx, name)
}

/** Takes what is unused of the payment, and notes what is owed for it. */
async function takeTokens(ctx: TxCtx, { id, checkoutSessionId }: PaymentRow): Promise<void> {
  const checkout = await lockCheckout(ctx, { id: checkoutSessionId })
  const row = onlyRow(await ctx.db.select().from(payments).where(eq(payments.id, id)).for('update'))
  if (row.withdrawnAt !== null) return
  if (checkout === undefined || row.state !== 'paid') throw notWithdrawable()
  const reward = await readReward(ctx, row)
  const coinAmount = await reverseUnused(ctx, {
    walletId: checkout.walletId,
    kind: 'purchase-reversal',
    purchaseId: row.walletTransactionId,
    cause: withdrawalName(row),
    description: 'Tokens given back',
    reward: reward?.paymentId === row.id ? reward : null,
  })
  if (coinAmount === 0) throw notWithdrawable()
  const now = ctx.clock()
  await ctx.db
    .update(payments)
    .set({
      withdrawnAt: now,
      withdrawnCents: centsOfCoins(row, coinAmount),
      readDueAt: now,
    })
    .where(eq(payments.id, id))
  await storeMonthsOf(ctx, row)
}

function notWithdrawable(): Problem {
  return new Problem(
    'payments/not-withdrawable',
    'Only unused tokens can be given back, within 14 days of their purchase.',
  )
}
