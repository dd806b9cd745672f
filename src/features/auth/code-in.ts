import { plainText } from '#src/lib/typed-text.ts'

export const CODE_LENGTH = 6

/**
 * The digits of a code that was typed or pasted, six at most: '123 456', '１２３４５６', 'Your code,
 * good for 10 minutes: 123456'.
 */
export function codeIn(typed: string): string {
  const plain = plainText(typed)
  const [whole, another] = plain.match(/(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/g) ?? []
  const digits = another === undefined ? (whole ?? plain) : plain
  return digits.replaceAll(/\D/g, '').slice(0, CODE_LENGTH)
}
