import type { HumanVerification } from '#server/human/port.ts'

/** The token that the fake takes for a person's. */
export const humanToken = 'a-person'

/** Human verification without the work, for tests that are about something else. */
export function createFakeHuman(): HumanVerification {
  return {
    provider: 'altcha',
    siteKey: null,
    createChallenge: () =>
      Promise.resolve({
        parameters: {
          algorithm: 'PBKDF2/SHA-256',
          nonce: '00',
          salt: '00',
          cost: 1,
          keyLength: 32,
          keyPrefix: '00',
        },
        signature: '00',
      }),
    verify: (captchaToken) => Promise.resolve(captchaToken === humanToken),
  }
}
