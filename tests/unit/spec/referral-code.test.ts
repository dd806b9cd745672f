import fc from 'fast-check'
import { expect, it } from 'vitest'
import { referralCodeProblem } from '#spec/referral-code.ts'

it('REF-05 finds a problem in exactly what is not 4 to 20 of A-Z and 0-9', () => {
  const near = fc.string({
    unit: fc.constantFrom('A', 'Z', '0', '9', 'a', 'É', ' ', '-'),
    maxLength: 24,
  })
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (code) => {
      expect(referralCodeProblem(code) === null).toBe(/^[A-Z0-9]{4,20}$/.test(code))
    }),
  )
})

it.each([
  ['', 'Please enter a code'],
  ['   ', 'Please enter a code'],
  ['ABC', 'Code must be at least 4 characters'],
  ['A'.repeat(21), 'Code must be at most 20 characters'],
  ['mara', 'Code must contain only uppercase letters and numbers'],
  ['MARA\n', 'Code must contain only uppercase letters and numbers'],
  ['MARA', null],
])('REF-05 says of %j: %s', (code, words) => {
  expect(referralCodeProblem(code)).toBe(words)
})
