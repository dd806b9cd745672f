import { plainText } from '#src/lib/typed-text.ts'

/** The contract's limit (RFC 5321 section 4.5.3.1.3 as corrected). */
const MAX_LENGTH = 254
/**
 * The rule of `<input type=email>` (HTML Standard, "valid e-mail address"), with at least one dot
 * in the domain.
 */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** Whether a text is one address and nothing else. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text)
}

/**
 * The address of what was typed or pasted: 'Ann <ann@example.com>', 'mailto:ann@example.com',
 * 'ann＠example.com.' and the like, where only one address can be meant; else the text as it is,
 * without white space around it.
 */
export function readEmail(text: string): string {
  const typed = text.trim()
  if (isEmail(typed)) return typed
  const plain = plainText(text)
  const inBrackets = /^[^<>]*<([^<>]*)>[.,;]?$/.exec(plain)?.[1] ?? plain
  const address = inBrackets
    // A colon is in no address: 'mailto:', 'E-mail:'.
    .replace(/^[^@:]*:/, '')
    .replace(/(@[^?]*)\?.*$/, '$1')
    .replace(/^[\s"'\p{Ps}\p{Pi}\p{Pf}]+/u, '')
    .replace(/[\s"'.,;:\p{Ps}\p{Pe}\p{Pi}\p{Pf}]+$/u, '')
    .replace(/\s*@\s*/, '@')
  return isEmail(address) ? address : typed
}

/** What is said of a text that was read as another one: 'Read as ann@example.com'; null else. */
export function emailReadAs(text: string): string | null {
  const address = readEmail(text)
  return address === text.trim() ? null : `Read as ${address}`
}
