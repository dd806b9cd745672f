import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cardOffer } from '#src/components/order/card-offer.ts'

it('ORD-06 charges the greater of what is left and 50, and keeps the difference', () => {
  expect(cardOffer(12)).toEqual({
    coinAmount: 12,
    chargedCoinAmount: 50,
    keptCoinAmount: 38,
    leftToPay: 0,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (remaining) => {
      const offer = cardOffer(remaining)
      expect(offer.chargedCoinAmount).toBe(Math.max(remaining, 50))
      expect(offer.chargedCoinAmount).toBe(offer.coinAmount + offer.keptCoinAmount)
      expect(offer.leftToPay).toBe(0)
    }),
  )
})

it('ORD-06 pays a part of an order that is dearer than one card payment can be', () => {
  expect(cardOffer(250_000)).toMatchObject({ chargedCoinAmount: 100_000, leftToPay: 150_000 })
})
