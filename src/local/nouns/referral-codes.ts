import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type ReferralCode = components['schemas']['ReferralCode']

/** The user's codes that friends sign up with. */
export const referralCodes = defineNoun({
  table: 'referralCodes',
  since: 2,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_code: ReferralCode) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/payments/referral-codes', init),
    pick: (body) => body.referralCodes,
  },
})
