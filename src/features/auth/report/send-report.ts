import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { apiFailureMessage, codeOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import type { Result } from '#src/lib/result.ts'
import { readEmail } from '#src/components/account/read-email.ts'
import { EMAIL_MESSAGES } from '#src/features/auth/email-rules.ts'

type Body = components['schemas']['CreateReportBody']
/** What a person types. */
export type ReportWords = Omit<Body['report'], 'isTruthful'>
export type ReportReceipt = components['schemas']['ReportReceipt']

/** Sends a report; each successful call is one. */
export function sendReport(
  api: ApiClient,
  words: ReportWords,
  captchaToken: string,
): Promise<Result<{ readonly report: ReportReceipt }, ApiFailure>> {
  const contact = readEmail(words.contact)
  const body = { report: { ...words, contact, isTruthful: true as const }, captchaToken }
  return send(api.POST('/v1/reports', { body }))
}

/** What to say of a failure. What was typed is still in the form. */
export function reportProblem(failure: ApiFailure): string {
  if (failure.code !== 'api/http')
    return 'The server cannot be reached right now, so your report may not have arrived. What you typed is still here. Please try again.'
  if (codeOf(failure) === 'human/not-verified') return EMAIL_MESSAGES.captcha
  return apiFailureMessage(failure)
}
