import { isEmail, readEmail } from '#src/components/account/read-email.ts'

/** Texts of the specification. */
export const EMAIL_MESSAGES = {
  invalid: 'Invalid email address',
  plus: 'Email address cannot contain "+" character',
  captcha: 'Please complete the captcha',
} as const

/**
 * What is wrong with an address, or null. The plus rule holds where accounts are made, never for
 * logging in (docs/product-decisions.md#plus-rule).
 * @param email as typed; `readEmail` reads it
 */
export function emailProblem(email: string, purpose: 'signup' | 'login'): string | null {
  const address = readEmail(email)
  if (!isEmail(address)) return EMAIL_MESSAGES.invalid
  if (purpose === 'signup' && address.includes('+')) return EMAIL_MESSAGES.plus
  return null
}
