import { plainText } from '#src/lib/typed-text.ts'

export const CODE_LENGTH = 6

/** Six digits in one piece, or as two groups that do not belong to a longer number. */
const WHOLE_CODE = /(?<!\d)\d{6}(?!\d)|(?<!\d[\s\p{Pd}]?)\d{3}[\s\p{Pd}]\d{3}(?![\s\p{Pd}]?\d)/gu

/**
 * The digits of a code that was typed or pasted, six at most: '123 456', '１２３４５６', 'Your code,
 * good for 10 minutes: 123456'. Null where there are more and none of them are the one code: each
 * code that is sent counts as a try, so none is made of a part of another number.
 */
export function codeIn(typed: string): string | null {
  const plain = plainText(typed)
  const [whole, another] = plain.match(WHOLE_CODE) ?? []
  const digits = (another === undefined ? (whole ?? plain) : plain).replaceAll(/\D/g, '')
  return digits.length <= CODE_LENGTH ? digits : null
}
