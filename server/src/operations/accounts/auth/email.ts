import { Problem } from '#server/problems.ts'

// The WHATWG rule for <input type=email>, with at least one dot after the @, so that page and
// server agree.
const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/** RFC 5321, section 4.5.3.1.3, less the brackets. */
const MAX_EMAIL_LENGTH = 254

/**
 * The address as accounts are kept under it: trimmed, in lower case. Refuses with
 * `request/invalid` on the field `user.email`.
 */
export function normaliseEmail(given: string): string {
  const email = given.trim().toLowerCase()
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL_PATTERN.test(email))
    throw emailProblem('Invalid email address')
  return email
}

/**
 * Refuses an address with a plus sign, for new accounts only: an account that has such an address
 * logs in with it.
 */
export function refusePlusAddress(email: string): void {
  if (email.includes('+')) throw emailProblem('Email address cannot contain "+" character')
}

function emailProblem(message: string): Problem {
  return new Problem('request/invalid', message, { fields: { 'user.email': message } })
}
