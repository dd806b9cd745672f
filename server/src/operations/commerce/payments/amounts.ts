import type { InvoiceFacts } from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'
import {
  CARD_MINIMUM_COINS,
  PLAN_PRICE_DOLLARS_PER_MONTH,
  SUBSCRIPTION_TOKENS_PER_MONTH,
  TOP_UP_MAX_TOKENS,
  TOP_UP_MIN_TOKENS,
} from '#spec/numbers.ts'

/** The one plan: a token costs one cent. */
export const STANDARD_PLAN = {
  slug: 'standard',
  cents: PLAN_PRICE_DOLLARS_PER_MONTH * 100,
  coins: SUBSCRIPTION_TOKENS_PER_MONTH,
} as const

/** What is charged and credited for tokens that were asked for. */
export function chargedCoins(coinAmount: number): number {
  return Math.max(CARD_MINIMUM_COINS, coinAmount)
}

/**
 * Refuses an amount that cannot be bought, with `payments/amount-out-of-range`, and tokens of the
 * wallet without an order that they would pay, with `request/invalid`.
 */
export function refuseAmount({
  coinAmount,
  walletCoinAmount,
  orderId,
}: {
  readonly coinAmount: number
  readonly walletCoinAmount: number
  readonly orderId: string | null
}): void {
  if (walletCoinAmount > 0 && orderId === null) {
    const message = 'Tokens of the wallet can only pay an order. Please name the order.'
    throw new Problem('request/invalid', message, {
      fields: { 'stripeCheckoutSession.walletCoinAmount': message },
    })
  }
  const least = orderId === null ? TOP_UP_MIN_TOKENS : 1
  if (coinAmount >= least && coinAmount <= TOP_UP_MAX_TOKENS) return
  const message = `Choose ${least.toLocaleString('en-US')} to ${TOP_UP_MAX_TOKENS.toLocaleString('en-US')} tokens.`
  throw new Problem('payments/amount-out-of-range', message, {
    fields: { 'stripeCheckoutSession.coinAmount': message },
  })
}

/**
 * True when an invoice is a paid month of the plan. Neither the price paid counts (a full discount
 * is a month too) nor that something was paid: changes of the plan and free trials grant nothing.
 */
export function grantsTokens(invoice: InvoiceFacts): boolean {
  return invoice.isPaid && invoice.reason !== 'other' && invoice.planCents > 0
}
