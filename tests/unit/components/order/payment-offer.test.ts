import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paymentOffer } from '#src/components/order/payment-offer.ts'

describe('what a payment of an order would do', () => {
  it('ORD-04 spends the lesser of what is payable and what can be spent', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (remainingPayableCoinAmount, spendable) => {
        const offer = paymentOffer({ remainingPayableCoinAmount }, spendable)
        expect(offer.coinAmount).toBe(Math.min(remainingPayableCoinAmount, spendable))
        expect(offer.coinAmount + offer.leftToPay).toBe(remainingPayableCoinAmount)
        expect(offer.coinAmount + offer.leftToSpend).toBe(spendable)
      }),
    )
  })

  it('ORD-10 offers a partial payment when the wallet cannot cover the rest, and none at 0', () => {
    expect(paymentOffer({ remainingPayableCoinAmount: 1000 }, 740)).toEqual({
      kind: 'partial',
      coinAmount: 740,
      leftToPay: 260,
      leftToSpend: 0,
    })
    expect(paymentOffer({ remainingPayableCoinAmount: 740 }, 1000)).toEqual({
      kind: 'full',
      coinAmount: 740,
      leftToPay: 0,
      leftToSpend: 260,
    })
    expect(paymentOffer({ remainingPayableCoinAmount: 740 }, 0).kind).toBe('impossible')
    expect(paymentOffer({ remainingPayableCoinAmount: 740 }, -20).kind).toBe('impossible')
  })
})
