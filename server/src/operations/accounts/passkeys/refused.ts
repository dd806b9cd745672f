import { Problem } from '#server/problems.ts'

/**
 * The one refusal of a passkey: which of the checks it failed is no business of the one who asks.
 */
export function passkeyRefused(): Problem {
  return new Problem(
    'auth/passkey-refused',
    'This passkey did not work. Try again, or log in by email.',
  )
}
