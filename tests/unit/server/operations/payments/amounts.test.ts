import { describe, expect, it } from 'vitest'
import {
  chargedCoins,
  grantsTokens,
  refuseAmount,
  STANDARD_PLAN,
} from '#server/operations/commerce/payments/amounts.ts'
import type { InvoiceFacts } from '#server/payments/port.ts'

const periodEndsAt = new Date('2026-12-21T12:00:00Z')
const paid = {
  paymentId: 'pay_1',
  amountCents: 1900,
  taxCents: 0,
  currency: 'usd',
  paidAt: new Date('2026-11-21T12:00:00Z'),
}
const month: InvoiceFacts = {
  invoiceId: 'in_1',
  reason: 'first-month',
  planCents: 1900,
  periodEndsAt,
  isPaid: true,
  paid,
}

describe('what an invoice grants', () => {
  it.each<[string, Partial<InvoiceFacts>, boolean]>([
    ['the first month, paid', {}, true],
    ['a next month, paid', { reason: 'next-month' }, true],
    ['a month that a full discount paid', { paid: null }, true],
    ['a month that half a discount paid', { paid: { ...paid, amountCents: 950 } }, true],
    ['a month paid with tax', { paid: { ...paid, amountCents: 2261, taxCents: 361 } }, true],
    ['the first month, not paid', { isPaid: false, paid: null }, false],
    ['a next month, not paid', { reason: 'next-month', isPaid: false, paid: null }, false],
    ['a free trial', { planCents: 0, paid: null }, false],
    ['a free month by another plan', { reason: 'next-month', planCents: 0, paid: null }, false],
    ['a paid change of the plan', { reason: 'other' }, false],
    ['a paid bill without the plan', { reason: 'other', planCents: 0 }, false],
  ])('%s', (_, change, expected) => {
    expect(grantsTokens({ ...month, ...change })).toBe(expected)
  })
})

describe('amounts', () => {
  const isRefused = (coinAmount: number, orderId: string | null, walletCoinAmount = 0): boolean => {
    try {
      refuseAmount({ coinAmount, walletCoinAmount, orderId })
      return false
    } catch {
      return true
    }
  }

  it('WAY-03 tokens of the wallet pay an order, and nothing else', () => {
    expect(isRefused(2000, null, 1)).toBe(true)
    expect(isRefused(2000, 'order', 1)).toBe(false)
  })

  it('a token costs a cent, and the plan 1,900 of them', () => {
    expect(STANDARD_PLAN).toEqual({ slug: 'standard', cents: 1900, coins: 1900 })
  })

  it('ORD-06 a card pays at least 50, and what is charged is credited', () => {
    expect([1, 49, 50, 51, 100_000].map(chargedCoins)).toEqual([50, 50, 50, 51, 100_000])
  })

  it('WAL-07 a top-up is 2,000 to 100,000 tokens, and 1 or more for an order', () => {
    expect([1999, 2000, 100_000, 100_001].map((one) => isRefused(one, null))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect([0, 1, 100_000, 100_001].map((one) => isRefused(one, 'order'))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})
