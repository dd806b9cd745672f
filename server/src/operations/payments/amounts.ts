import type { InvoiceFacts } from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'

/** The one plan: a token costs one cent. */
export const STANDARD_PLAN = { slug: 'standard', cents: 1900, coins: 1900 } as const

/** The least that a card can pay, in tokens. */
const LEAST_CHARGE = 50
const LEAST_TOP_UP = 2_000
const MOST_TOP_UP = 100_000

/** What is charged and credited for tokens that were asked for. */
export function chargedCoins(coinAmount: number): number {
  return Math.max(LEAST_CHARGE, coinAmount)
}

/** Refuses an amount that cannot be bought, with `payments/amount-out-of-range`. */
export function refuseAmount({
  coinAmount,
  orderId,
}: {
  readonly coinAmount: number
  readonly orderId: string | null
}): void {
  const least = orderId === null ? LEAST_TOP_UP : 1
  if (coinAmount >= least && coinAmount <= MOST_TOP_UP) return
  const message = `Choose ${least.toLocaleString('en-US')} to ${MOST_TOP_UP.toLocaleString('en-US')} tokens.`
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
