/** What a plan takes that is only read and never run: which outputs, how long, what it needs. */
export const SECRET_OF_NO_UPLOAD = '0'.repeat(64)

/** Throws where a secret is not 64 digits, because an edit from a guessable one hides nothing. */
export function wholeSecret(secret: string): string {
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error('The secret of a plan is not 32 bytes')
  return secret
}

/**
 * Sixteen numbers from 0 up to 1, the first four hexadecimal digits of the secret being number 0:
 * independent of each other, as the secret is random. Throws as `wholeSecret` does.
 */
export function numbersOf(secret: string): readonly number[] {
  const digits = wholeSecret(secret)
  return Array.from(
    { length: 16 },
    (_, index) => Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16) / 65_536,
  )
}
