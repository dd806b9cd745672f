import type { HumanVerification } from './port.ts'
import type { Log } from '#server/log.ts'
import type { PostForm } from '#server/net/post-form.ts'

export const RECAPTCHA_HOST = 'www.google.com'
const VERIFY_URL = `https://${RECAPTCHA_HOST}/recaptcha/api/siteverify`

/**
 * reCAPTCHA v2 with explicit rendering, where its keys are configured. Its service refuses a token
 * the second time.
 */
export function createRecaptcha(deps: {
  readonly siteKey: string
  readonly secret: string
  readonly post: PostForm
  readonly log: Log
}): HumanVerification {
  return {
    provider: 'recaptcha',
    siteKey: deps.siteKey,
    createChallenge: () => Promise.resolve(null),
    async verify(captchaToken) {
      const form = { secret: deps.secret, response: captchaToken }
      try {
        const { body: verdict } = await deps.post(VERIFY_URL, form)
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
