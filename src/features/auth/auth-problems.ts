import { EMAIL_MESSAGES } from './email-rules.ts'
import { apiFailureMessage } from '#src/api/errors.ts'
import type { ApiFailure } from '#src/api/errors.ts'

/** A failure of one of the forms: which part it speaks of, and the sentence for its red box. */
export interface FormProblem {
  readonly field: 'email' | 'human' | 'code' | null
  readonly message: string
}

/** The specification's words for failures that are not answers. */
const UNEXPECTED = 'An unexpected error occurred.'

/** What to say when asking for a mail failed. */
export function askProblem(failure: ApiFailure): FormProblem {
  if (failure.code === 'api/unexpected') return { field: null, message: UNEXPECTED }
  const fields = failure.code === 'api/http' ? Object.entries(failure.fields ?? {}) : []
  const email = fields.find(([name]) => name.endsWith('email'))
  if (email !== undefined) return { field: 'email', message: email[1] }
  if (fields.some(([name]) => name.endsWith('captchaToken')))
    return { field: 'human', message: EMAIL_MESSAGES.captcha }
  const referral = fields.find(([name]) => name === 'referralCode')
  return { field: null, message: referral?.[1] ?? apiFailureMessage(failure) }
}

/** What to say when a code did not sign in. */
export function codeProblem(failure: ApiFailure): FormProblem {
  const isCode = failure.code === 'api/http' && failure.status === 422
  return {
    field: isCode ? 'code' : null,
    message: failure.code === 'api/unexpected' ? UNEXPECTED : apiFailureMessage(failure),
  }
}

/**
 * Words for why a person comes to the log-in page, as its query says: of a mail link's page, of a
 * share. Null for anything unknown.
 */
export function arrivalMessage(query: URLSearchParams): string | null {
  switch (query.get('problem') ?? query.get('message')) {
    case 'auth/link-invalid':
    case 'link-expired':
    case 'link-used':
      return 'This link has expired or was already used. Request a new one below. It works for 10 minutes.'
    case 'auth/account-locked':
      return 'This account is locked. Please write to the support of this site.'
    case 'session-ended':
      return 'Your session has ended. Log in to continue where you left off.'
    case 'shared-waits':
      return 'What you shared waits on this device, and nothing of it was sent. Log in to go on with it.'
    default:
      return null
  }
}
