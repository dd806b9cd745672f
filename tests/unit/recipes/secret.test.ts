import { describe, expect, it } from 'vitest'
import { numbersOf, SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'

describe('the numbers of a secret', () => {
  it('REC-08 are sixteen from 0 up to 1, each of its own digits', () => {
    expect(numbersOf(SECRET_OF_NO_UPLOAD)).toEqual(Array.from({ length: 16 }, () => 0))
    const numbers = numbersOf(`8000${'ffff'.repeat(15)}`)
    expect(numbers[0]).toBe(0.5)
    expect(numbers.slice(1)).toEqual(Array.from({ length: 15 }, () => 65_535 / 65_536))
  })

  it.each(['', 'ab', 'G'.repeat(64), '0'.repeat(63)])(
    'REC-08 are refused where the secret could be guessed: %s',
    (secret) => {
      expect(() => numbersOf(secret)).toThrow('not 32 bytes')
    },
  )
})
