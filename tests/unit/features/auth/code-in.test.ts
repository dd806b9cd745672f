import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeIn } from '#src/features/auth/code-in.ts'

it('TYP-03 the six digits are found in the digits of every script, and within words', () => {
  for (const text of [
    '123456',
    ' 123 456 ',
    '123-456',
    '123\u2011456',
    '1 2 3 4 5 6',
    '１２３４５６',
    '\u200F١٢٣٤٥٦\u200E',
    '۱۲۳۴۵۶',
    '१२३ ४५६',
    '𝟭𝟮𝟯𝟰𝟱𝟲',
    'Your code is 123456.',
    'Good for 10 minutes: 123 456',
    '123456 until 10:42',
  ])
    expect([text, codeIn(text)]).toEqual([text, '123456'])
})

it('TYP-03 what is typed digit by digit is what stands there', () => {
  expect(codeIn('12')).toBe('12')
  expect(codeIn('१२')).toBe('12')
  expect(codeIn('²³')).toBe('')
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,6}$/), (digits) => {
      expect(codeIn(digits)).toBe(digits)
    }),
  )
})

it('TYP-03 no code is cut out of a longer number', () => {
  for (const text of [
    '20261129',
    '1234567',
    '123 456 789',
    '+49 123 456 7890',
    '12 123-456',
    '123456 654321',
    'Good for 10 minutes: 12345',
    '１２３４５６７',
  ])
    expect([text, codeIn(text)]).toEqual([text, null])
})
