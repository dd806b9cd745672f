import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  QUICK_AMOUNTS,
  readTypedAmount,
  startingAmount,
} from '#src/features/wallets/custom-amount.ts'

it('WAL-07 exactly the whole numbers from 2,000 to 100,000 can be bought', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), (coinAmount) => {
      const amount = readTypedAmount(String(coinAmount))
      if (coinAmount < 2000)
        expect(amount).toEqual({ kind: 'invalid', message: 'Minimum 2,000 tokens required' })
      else if (coinAmount > 100_000)
        expect(amount).toEqual({ kind: 'invalid', message: 'Maximum 100,000 tokens allowed' })
      else expect(amount).toEqual({ kind: 'valid', coinAmount })
    }),
  )
  expect(readTypedAmount('100000').kind).toBe('valid')
  expect(readTypedAmount('100001').kind).toBe('invalid')
})

it('WAL-07 what is no number is refused in words, and commas are read', () => {
  expect(readTypedAmount('12,500')).toEqual({ kind: 'valid', coinAmount: 12_500 })
  for (const text of ['2000.5', '-2000', '2e4', 'many'])
    expect(readTypedAmount(text)).toEqual({
      kind: 'invalid',
      message: 'Enter a whole number of tokens',
    })
  expect(readTypedAmount('')).toEqual({ kind: 'invalid', message: 'Minimum 2,000 tokens required' })
})

it('WAL-07 the box starts at 6969, or at the cheapest option that covers the order', () => {
  expect(startingAmount(null)).toBe(6969)
  expect(startingAmount(1)).toBe(2000)
  expect(startingAmount(2001)).toBe(5000)
  expect(startingAmount(1_000_000)).toBe(100_000)
  expect(QUICK_AMOUNTS).toEqual([2000, 5000, 10_000, 20_000, 50_000, 100_000])
})
