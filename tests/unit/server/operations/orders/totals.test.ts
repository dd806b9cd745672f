import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { orderTotals } from '#server/operations/commerce/orders/totals.ts'

const coins = fc.integer({ min: 1, max: 5000 }).map((coinAmount) => ({ coinAmount }))
const bookings = fc.array(
  fc
    .tuple(coins, fc.boolean())
    .map(([{ coinAmount }, isRefund]) => ({ coinAmount: isRefund ? coinAmount : -coinAmount })),
)

describe('order totals', () => {
  it('ORD-03 an open order asks for line items total - paid + refunded, never below 0', () => {
    fc.assert(
      fc.property(fc.array(coins), bookings, (items, booked) => {
        const { total, paid, refunded, remaining } = orderTotals('open', items, booked)
        expect(remaining).toBe(Math.max(0, total - paid + refunded))
        expect(paid - refunded).toBe(-booked.reduce((sum, row) => sum + row.coinAmount, 0) + 0)
        expect(Math.min(total, paid, refunded)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('ORD-03 a paid order is not payable again when tokens come back for a failed task', () => {
    expect(
      orderTotals('paid', [{ coinAmount: 300 }], [{ coinAmount: -300 }, { coinAmount: 300 }]),
    ).toEqual({ total: 300, paid: 300, refunded: 300, remaining: 0 })
  })
})
