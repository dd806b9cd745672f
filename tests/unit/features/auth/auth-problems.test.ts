import { expect, it } from 'vitest'
import type { ApiFailure } from '#src/api/errors.ts'
import { arrivalMessage, askProblem, codeProblem } from '#src/features/auth/auth-problems.ts'

const refused = (
  fields: Record<string, string> | null,
  message: string | null = 'Please check the form',
): ApiFailure => ({
  code: 'api/http',
  status: 422,
  serverCode: 'request/invalid',
  serverMessage: message,
  fields,
  retryAfterMs: null,
})

it('AUT-03 the red box speaks of the e-mail or of the verification, in the words of the rule', () => {
  expect(askProblem(refused({ 'user.email': 'Invalid email address' }))).toEqual({
    field: 'email',
    message: 'Invalid email address',
  })
  expect(askProblem(refused({ captchaToken: 'must match' }))).toEqual({
    field: 'human',
    message: 'Please complete the captcha',
  })
  expect(askProblem(refused(null, 'Too many mails'))).toEqual({
    field: null,
    message: 'Too many mails',
  })
})

it('AUT-09 the red box says that the referral code is invalid', () => {
  expect(askProblem(refused({ referralCode: 'Invalid referral code' }))).toEqual({
    field: null,
    message: 'Invalid referral code',
  })
})

it('AUT-05 what is no answer of the server is an unexpected error', () => {
  expect(askProblem({ code: 'api/unexpected' }).message).toBe('An unexpected error occurred.')
  expect(codeProblem({ code: 'api/unexpected' }).message).toBe('An unexpected error occurred.')
  expect(askProblem({ code: 'api/no-response' }).message).toBe(
    'No response received from the server',
  )
})

it('AUT-06 an expired or used link has words on the log-in page, anything else has none', () => {
  for (const query of ['problem=auth/link-invalid', 'message=link-expired', 'message=link-used'])
    expect(arrivalMessage(new URLSearchParams(query))).toMatch(/expired/)
  expect(arrivalMessage(new URLSearchParams('message=shared-waits'))).toMatch(/waits/)
  for (const query of ['', 'message=<script>', 'problem=other'])
    expect(arrivalMessage(new URLSearchParams(query))).toBeNull()
})
