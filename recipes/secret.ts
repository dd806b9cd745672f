/** What a plan takes that is only read and never run: which outputs, how long, what it needs. */
export const SECRET_OF_NO_UPLOAD = '0'.repeat(64)

/**
 * Sixteen numbers from 0 up to 1, the first four hexadecimal digits of the secret being number 0:
 * independent of each other, as the secret is random. Throws where the secret is not 64 digits,
 * because an edit from a guessable one would hide nothing.
 */
export function numbersOf(secret: string): readonly number[] {
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error('The secret of a plan is not 32 bytes')
  return Array.from(
    { length: 16 },
    (_, index) => Number.parseInt(secret.slice(index * 4, index * 4 + 4), 16) / 65_536,
  )
}
