import { Problem } from '#server/problems.ts'

// The WHATWG rule for <input type=email>, with at least one dot after the @, so that page and
// server agree.
const pattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/** RFC 5321 §4.5.3.1.3 less the brackets. */
const MAX_EMAIL_LENGTH = 254

/**
 * The address as accounts are kept under it: trimmed, lower case. Refuses with 422 naming
 * `user.email`.
 */
export function normaliseEmail(given: string): string {
  const email = given.trim().toLowerCase()
  if (email.length > MAX_EMAIL_LENGTH || !pattern.test(email))
    throw emailProblem('Invalid email address')
  return email
}

/**
 * The plus rule (decision 4.45): only for new accounts; who has one logs in with the address it
 * has.
 */
export function refusePlusAddress(email: string): void {
  if (email.includes('+')) throw emailProblem('Email address cannot contain "+" character')
}

function emailProblem(message: string): Problem {
  return new Problem('request/invalid', message, { fields: { 'user.email': message } })
}
