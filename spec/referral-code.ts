/**
 * The rule of referral codes, once: for the form that makes one and for the server. Which words are
 * not allowed, and which codes are taken, only the server knows.
 */
import { REFERRAL_CODE_MAX_LENGTH, REFERRAL_CODE_MIN_LENGTH } from './numbers.ts'

/** What is wrong with the spelling of a code, in words for the person, or null. */
export function referralCodeProblem(code: string): string | null {
  if (code.trim() === '') return 'Please enter a code'
  if (code.length < REFERRAL_CODE_MIN_LENGTH)
    return `Code must be at least ${REFERRAL_CODE_MIN_LENGTH} characters`
  if (code.length > REFERRAL_CODE_MAX_LENGTH)
    return `Code must be at most ${REFERRAL_CODE_MAX_LENGTH} characters`
  return /^[A-Z0-9]+$/.test(code) ? null : 'Code must contain only uppercase letters and numbers'
}
