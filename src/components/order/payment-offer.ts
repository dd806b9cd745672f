import type { components } from '#openapi/schema.gen.ts'

type Order = components['schemas']['Order']

/** What pressing the pay button would do now. All amounts are whole tokens. */
export interface PaymentOffer {
  readonly kind: 'full' | 'partial' | 'impossible'
  /**
   * What is paid: the lesser of the amount that remains payable and the amount that can be spent.
   */
  readonly coinAmount: number
  /** Still payable afterwards. */
  readonly leftToPay: number
  /** Spendable afterwards. */
  readonly leftToSpend: number
}

/**
 * Works out a payment from one wallet (ORD-04, docs/product-decisions.md#one-payment-component).
 */
export function paymentOffer(
  order: Pick<Order, 'remainingPayableCoinAmount'>,
  spendableCoinAmount: number,
): PaymentOffer {
  const payable = Math.max(0, order.remainingPayableCoinAmount)
  const spendable = Math.max(0, spendableCoinAmount)
  const coinAmount = Math.min(payable, spendable)
  const kind = coinAmount === 0 ? 'impossible' : coinAmount === payable ? 'full' : 'partial'
  return { kind, coinAmount, leftToPay: payable - coinAmount, leftToSpend: spendable - coinAmount }
}
