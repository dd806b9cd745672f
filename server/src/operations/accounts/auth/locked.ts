import { Problem } from '#server/problems.ts'

/** The refusal of an account that the operator has locked. */
export function accountLocked(): Problem {
  return new Problem(
    'auth/account-locked',
    'This account is locked. Please write to the support of this site.',
  )
}
