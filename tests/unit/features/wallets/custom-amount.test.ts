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

it('TYP-01 a separator counts only before groups of three digits', () => {
  for (const text of [
    '2,500',
    '2.500',
    '2 500',
    '2\u202F500',
    "2'500",
    '2’500',
    '2٬500',
    '2,500 tokens',
  ])
    expect(readTypedAmount(text)).toEqual({ kind: 'valid', coinAmount: 2500 })
  for (const text of ['٢٬٥٠٠', '２，５００', '२५००', '\u200F٢٥٠٠\u200E'])
    expect(readTypedAmount(text)).toEqual({ kind: 'valid', coinAmount: 2500 })
})

it('TYP-01 what may be a decimal is refused with what to do', () => {
  const odd = [
    '500,00',
    '2500,5',
    '2500.5',
    '2.500,00',
    '2,500.00',
    '2,50',
    '25,00',
    '0.500',
    '٢٫٥٠٠',
  ]
  const grouped = ['1,00,000', '2,5000', ',500', '2500,', '2..500', '2,500.000', '12 34 567']
  const strange = ['-2000', '2e4', 'many', '$25', '2500½', '200²', '二千', '0x1000', '5000/2']
  for (const text of [...odd, ...grouped, ...strange])
    expect([text, readTypedAmount(text)]).toEqual([
      text,
      {
        kind: 'invalid',
        message: 'Please enter whole tokens, without decimals, for example 2,500',
      },
    ])
})

it('TYP-01 however a language writes an amount, it is that amount or none, never another one', () => {
  const languages = [
    'en-US',
    'de',
    'de-CH',
    'fr',
    'es',
    'pl',
    'ar-EG',
    'fa',
    'hi',
    'hi-u-nu-deva',
    'bn',
    'my',
    'ja',
    'sv',
  ]
  const written = languages.map((language) => [
    new Intl.NumberFormat(language),
    new Intl.NumberFormat(language, { minimumFractionDigits: 2 }),
  ])
  fc.assert(
    fc.property(
      fc.integer({ min: 2000, max: 99_999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.constantFrom(...written),
      (coinAmount, cents, [whole, decimal]) => {
        expect(readTypedAmount(whole?.format(coinAmount) ?? '')).toEqual({
          kind: 'valid',
          coinAmount,
        })
        expect(readTypedAmount(decimal?.format(coinAmount + cents / 100) ?? '').kind).toBe(
          'invalid',
        )
      },
    ),
  )
})

it('WAL-07 an empty box asks for the least', () => {
  expect(readTypedAmount('')).toEqual({ kind: 'invalid', message: 'Minimum 2,000 tokens required' })
})

it('WAL-07 the box starts at 6969, or at the cheapest option that covers the order', () => {
  expect(startingAmount(null)).toBe(6969)
  expect(startingAmount(1)).toBe(2000)
  expect(startingAmount(2001)).toBe(5000)
  expect(startingAmount(1_000_000)).toBe(100_000)
  expect(QUICK_AMOUNTS).toEqual([2000, 5000, 10_000, 20_000, 50_000, 100_000])
})
