import type { Segment } from './types.ts'

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

/**
 * With what noise on a picture begins, for ffmpeg. It is another one for each upload, so that no
 * viewer can subtract it, and for each segment, because the same noise on many pictures could be
 * averaged out.
 */
export function noiseSeed(secret: string, segment: Segment | null): number {
  const [, , , , , , , , , , , , high = 0, low = 0] = numbersOf(secret)
  const seed = Math.floor(high * 32_768) * 65_536 + Math.floor(low * 65_536)
  return (seed + (segment?.fromMs ?? 0)) % 2 ** 31
}
