import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cardOffer } from '#src/components/order/card-offer.ts'

it('ORD-06 charges the greater of what is left and 50, and keeps the difference', () => {
  expect(cardOffer(12, 0)).toEqual({
    walletCoinAmount: 0,
    coinAmount: 12,
    chargedCoinAmount: 50,
    keptCoinAmount: 38,
    leftToPay: 0,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (remaining) => {
      const offer = cardOffer(remaining, 0)
      expect(offer.chargedCoinAmount).toBe(Math.max(remaining, 50))
      expect(offer.chargedCoinAmount).toBe(offer.coinAmount + offer.keptCoinAmount)
      expect(offer.leftToPay).toBe(0)
    }),
  )
})

it('ORD-06 pays a part of an order that is dearer than one card payment can be', () => {
  expect(cardOffer(250_000, 0)).toMatchObject({ chargedCoinAmount: 100_000, leftToPay: 150_000 })
})

it('WAY-03 uses the tokens that cover a part of the order, and charges the rest', () => {
  expect(cardOffer(600, 300)).toEqual({
    walletCoinAmount: 300,
    coinAmount: 300,
    chargedCoinAmount: 300,
    keptCoinAmount: 0,
    leftToPay: 0,
  })
  expect(cardOffer(600, 590)).toMatchObject({
    walletCoinAmount: 590,
    coinAmount: 10,
    chargedCoinAmount: 50,
    keptCoinAmount: 40,
  })
  expect(cardOffer(250_000, 20_000)).toMatchObject({
    walletCoinAmount: 20_000,
    coinAmount: 100_000,
    leftToPay: 130_000,
  })
  for (const spendable of [600, 5000, -20])
    expect(cardOffer(600, spendable)).toMatchObject({ walletCoinAmount: 0, coinAmount: 600 })
})
