import type { HumanVerification } from './port.ts'
import type { Log } from '#server/log.ts'

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify'
const LONGEST_WAIT_MS = 10_000

/**
 * reCAPTCHA v2 with explicit rendering, where its keys are configured. Its service refuses a token
 * the second time.
 */
export function createRecaptcha(deps: {
  readonly siteKey: string
  readonly secret: string
  readonly fetch: typeof fetch
  readonly log: Log
}): HumanVerification {
  return {
    provider: 'recaptcha',
    siteKey: deps.siteKey,
    createChallenge: () => Promise.resolve(null),
    async verify(captchaToken) {
      const body = new URLSearchParams({ secret: deps.secret, response: captchaToken })
      try {
        const answer = await deps.fetch(VERIFY_URL, {
          method: 'POST',
          body,
          signal: AbortSignal.timeout(LONGEST_WAIT_MS),
          redirect: 'error',
        })
        const verdict: unknown = await answer.json()
        return (
          verdict !== null &&
          typeof verdict === 'object' &&
          'success' in verdict &&
          verdict.success === true
        )
      } catch (error) {
        // While the service is away, no request passes unchecked.
        deps.log.error('human/recaptcha-unreachable', error)
        return false
      }
    },
  }
}
