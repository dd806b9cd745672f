/** What of a payment of the provider `test` went back: pure. */
import type { DisputeFacts, PaymentFacts, RefundFacts } from '#server/payments/port.ts'
import type { Delivery } from './notices.ts'

/** Made when something of the payment first goes back. */
export interface TestPayment {
  readonly kind: 'payment'
  readonly id: string
  readonly amountCents: number
  readonly refunds: readonly RefundFacts[]
  /** Absent until one fails. */
  readonly failedRefundIds?: readonly string[]
  readonly dispute: DisputeFacts | null
  readonly delivery: Delivery
}

/** What can be pressed in the document of a paid session. */
export const MONEY_PRESSES = [
  'refund-half',
  'refund-all',
  'refund-fails',
  'dispute',
  'dispute-won',
  'dispute-lost',
] as const
export type MoneyPress = (typeof MONEY_PRESSES)[number]

/** A payment after a press; the same payment when the press means nothing there. */
export function pressPayment(payment: TestPayment, press: MoneyPress, newId: string): TestPayment {
  const left = leftOf(payment)
  switch (press) {
    case 'refund-half':
      return giveBack(payment, Math.ceil(left / 2), newId)
    case 'refund-all':
      return giveBack(payment, left, newId)
    case 'refund-fails':
      return failLastRefund(payment)
    case 'dispute': {
      const dispute = { disputeId: `test_dp_${newId}`, amountCents: left, state: 'open' } as const
      return payment.dispute === null && left > 0 ? { ...payment, dispute } : payment
    }
    case 'dispute-won':
      return closeDispute(payment, 'won')
    case 'dispute-lost':
      return closeDispute(payment, 'lost')
  }
}

/**
 * A payment after a refund that was asked for by key; null when less is left. A key that was used
 * refunds nothing more.
 */
export function refundByKey(
  payment: TestPayment,
  { amountCents, key, newId }: { amountCents: number; key: string; newId: string },
): TestPayment | null {
  if (payment.refunds.some((refund) => refund.key === key)) return payment
  return amountCents > leftOf(payment) ? null : giveBack(payment, amountCents, newId, key)
}

/** What went back, in the words of the port. */
export function paymentFacts({
  id,
  refunds,
  failedRefundIds = [],
  dispute,
}: TestPayment): PaymentFacts {
  return { paymentId: id, refunds, failedRefundIds, dispute }
}

/** What a refund can still give back. */
function leftOf({ amountCents, refunds, dispute }: TestPayment): number {
  if (dispute !== null && dispute.state !== 'won') return 0
  return refunds.reduce((left, refund) => left - refund.amountCents, amountCents)
}

function giveBack(
  payment: TestPayment,
  amountCents: number,
  newId: string,
  key: string | null = null,
): TestPayment {
  if (amountCents === 0) return payment
  const refund = { refundId: `test_re_${newId}`, amountCents, key }
  return { ...payment, refunds: [...payment.refunds, refund] }
}

function failLastRefund(payment: TestPayment): TestPayment {
  const { refunds, failedRefundIds = [] } = payment
  const last = refunds.at(-1)
  if (last === undefined) return payment
  return {
    ...payment,
    refunds: refunds.slice(0, -1),
    failedRefundIds: [...failedRefundIds, last.refundId],
  }
}

function closeDispute(payment: TestPayment, state: 'won' | 'lost'): TestPayment {
  const { dispute } = payment
  return dispute?.state === 'open' ? { ...payment, dispute: { ...dispute, state } } : payment
}
