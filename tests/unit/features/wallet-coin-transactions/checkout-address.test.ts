import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCheckoutAddress } from '#src/features/wallet-coin-transactions/checkout-address.ts'

const read = (query: string) => readCheckoutAddress(new URLSearchParams(query))

it('WAL-08 a wallet is required', () => {
  const message = { kind: 'invalid', message: 'walletId is required' }
  expect(read('')).toEqual(message)
  expect(read('walletId=&coinAmount=2000')).toEqual(message)
  expect(read('coinAmount=nonsense')).toEqual(message)
})

it('WAL-08 an amount is the whole number whose text it is, from 1 to 100,000; 100 when absent', () => {
  expect(read('walletId=w')).toMatchObject({ kind: 'valid', coinAmount: 100 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (coinAmount) => {
      expect(read(`walletId=w&coinAmount=${coinAmount}`)).toMatchObject({
        kind: 'valid',
        coinAmount,
      })
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const number = Number(text)
      fc.pre(
        !(Number.isInteger(number) && number >= 1 && number <= 100_000 && String(number) === text),
      )
      const query = new URLSearchParams({ walletId: 'w', coinAmount: text }).toString()
      expect(read(query)).toEqual({ kind: 'invalid', message: 'coinAmount is invalid' })
    }),
    { examples: [['0'], ['-5'], ['2000.0'], ['02000'], [' 2000'], ['2e3'], ['100001'], ['']] },
  )
})

it('WAL-08 order and session are optional', () => {
  expect(read('walletId=w&coinAmount=2000')).toEqual({
    kind: 'valid',
    walletId: 'w',
    coinAmount: 2000,
    orderId: null,
    sessionId: null,
  })
  expect(read('walletId=w&orderId=o&stripeCheckoutSessionId=s')).toMatchObject({
    orderId: 'o',
    sessionId: 's',
  })
})
