import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dollars } from '#src/components/tokens/token-words.ts'

it('ORD-03 shows what tokens are worth as dollars with two decimals', () => {
  expect([1, 50, 300, 1905, 100_000, -300, 0].map(dollars)).toEqual([
    '$0.01',
    '$0.50',
    '$3.00',
    '$19.05',
    '$1,000.00',
    '-$3.00',
    '$0.00',
  ])
})

it('ORD-03 never rounds: each token is one cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (coinAmount) => {
      const text = dollars(coinAmount)
      expect(text).toMatch(/^\$[\d,]+\.\d\d$/)
      expect(Number(text.replaceAll(/\D/g, ''))).toBe(coinAmount)
    }),
  )
})
