/** What follows from money of a payment that went back: pure. */
import type { PaymentRow } from '#server/db/rows.ts'
import { withdrawalEnd } from '#server/operations/core/ledger/withdrawal.ts'
import type { PaymentFacts, RefundFacts } from '#server/payments/port.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Banks take a payment back for 120 days, and longer where goods are due later than it. */
const WATCHED_MS = 180 * DAY_MS

type Charged = Pick<PaymentRow, 'amountCents' | 'coinAmount'>

/**
 * The tokens that each refund takes, oldest first: their share of the money, so that all of the
 * money takes all tokens whatever the taxes, and however many refunds it was.
 */
export function coinsOfRefunds(
  { amountCents, coinAmount }: Charged,
  { refunds }: Pick<PaymentFacts, 'refunds'>,
): readonly (RefundFacts & { readonly coinAmount: number })[] {
  const coinsOf = (cents: number): number =>
    Math.round((coinAmount * Math.min(cents, amountCents)) / amountCents)
  let cents = 0
  return refunds.map((refund) => {
    const before = cents
    cents += refund.amountCents
    return { ...refund, coinAmount: coinsOf(cents) - coinsOf(before) }
  })
}

/** What is given back for unused tokens of a payment: their share of its whole price. */
export function centsOfCoins({ amountCents, coinAmount }: Charged, unused: number): number {
  return Math.round((amountCents * unused) / coinAmount)
}

/** Names a withdrawal of a payment: the key of its refund, and the cause of its booking. */
export function withdrawalName({ id }: Pick<PaymentRow, 'id'>): string {
  return `withdrawal:${id}`
}

/**
 * What takes tokens of a payment, in its order: a withdrawal first, which took its own before any
 * money went back and may be owed still, then the refunds of others.
 */
export function tokenTakers(
  row: Pick<PaymentRow, 'id' | 'withdrawnCents'>,
  { refunds }: Pick<PaymentFacts, 'refunds'>,
): readonly RefundFacts[] {
  const { withdrawnCents: amountCents } = row
  if (amountCents === null) return refunds
  const key = withdrawalName(row)
  const others = refunds.filter((refund) => refund.key !== key)
  return [{ refundId: key, amountCents, key }, ...others]
}

/**
 * Until when unused tokens of a payment can be given back; null when they cannot, because that time
 * is over, none is left, or money went back already.
 * @param unused what `unusedOf` says of it
 */
export function withdrawableUntil(
  payment: Pick<PaymentRow, 'state' | 'withdrawnAt' | 'paidAt'>,
  unused: number,
  now: Date,
): Date | null {
  const { state, withdrawnAt } = payment
  const until = withdrawalEnd(payment)
  const isPossible = state === 'paid' && withdrawnAt === null && unused > 0 && until > now
  return isPossible ? until : null
}

/** How a payment stands. A dispute that was won leaves what was before it. */
export function standingOf(
  { amountCents }: Pick<PaymentRow, 'amountCents'>,
  { refunds, dispute }: Pick<PaymentFacts, 'refunds' | 'dispute'>,
): Pick<PaymentRow, 'state' | 'refundedCents'> {
  const refundedCents = refunds.reduce((sum, refund) => sum + refund.amountCents, 0)
  return { refundedCents, state: stateOf({ amountCents, refundedCents }, dispute) }
}

function stateOf(
  { amountCents, refundedCents }: Pick<PaymentRow, 'amountCents' | 'refundedCents'>,
  dispute: PaymentFacts['dispute'],
): PaymentRow['state'] {
  if (dispute?.state === 'open') return 'disputed'
  if (dispute?.state === 'lost') return 'lost'
  if (refundedCents === 0) return 'paid'
  return refundedCents < amountCents ? 'partly-refunded' : 'refunded'
}

/**
 * When a payment is read again without a notice: each day while it is disputed, else whenever its
 * age has doubled, from a day on. Null when no bank takes it back any more.
 */
export function nextReading(
  { paidAt }: Pick<PaymentRow, 'paidAt'>,
  { dispute }: Pick<PaymentFacts, 'dispute'>,
  now: Date,
): Date | null {
  const age = now.getTime() - paidAt.getTime()
  if (dispute?.state === 'open') return new Date(now.getTime() + DAY_MS)
  return age > WATCHED_MS ? null : new Date(now.getTime() + Math.max(DAY_MS, age))
}
