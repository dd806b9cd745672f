import type { components } from '#openapi/schema.gen.ts'
import type { ListedPayment } from '#server/operations/commerce/payments/history.ts'

/** A payment as the contract shows it. */
export function viewPayment({
  row,
  orderId,
  withdrawable,
}: ListedPayment): components['schemas']['Payment'] {
  return {
    _id: row.id,
    kind: row.walletSubscriptionId === null ? 'tokens' : 'subscription',
    state: row.state,
    amountCents: row.amountCents,
    taxCents: row.taxCents,
    refundedCents: row.refundedCents,
    currency: row.currency,
    coinAmount: row.coinAmount,
    receiptNumber: row.receiptNumber,
    orderId,
    walletSubscriptionId: row.walletSubscriptionId,
    withdrawableUntil: withdrawable?.until.toISOString() ?? null,
    withdrawableCoinAmount: withdrawable?.coinAmount ?? 0,
    withdrawableCents: withdrawable?.cents ?? 0,
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    withdrawnCents: row.withdrawnCents ?? 0,
    paidAt: row.paidAt.toISOString(),
  }
}
