/** Texts of the specification. */
export const EMAIL_MESSAGES = {
  invalid: 'Invalid email address',
  plus: 'Email address cannot contain "+" character',
  captcha: 'Please complete the captcha',
} as const

/** The contract's limit (RFC 5321 section 4.5.3.1.3 as corrected). */
const MAX_LENGTH = 254
/**
 * The rule of `<input type=email>` (HTML Standard, "valid e-mail address"), with at least one dot
 * in the domain.
 */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/**
 * What is wrong with an address, or null. The plus rule holds where accounts are made, never for
 * logging in (docs/product-decisions.md#plus-rule).
 * @param email as typed; white space around it is ignored
 */
export function emailProblem(email: string, purpose: 'signup' | 'login'): string | null {
  const address = email.trim()
  if (address.length > MAX_LENGTH || !EMAIL.test(address)) return EMAIL_MESSAGES.invalid
  if (purpose === 'signup' && address.includes('+')) return EMAIL_MESSAGES.plus
  return null
}
