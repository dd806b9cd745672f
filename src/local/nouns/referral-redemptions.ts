import type { components } from '#openapi/schema.gen.ts'
import { defineNoun } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type ReferralRedemption = components['schemas']['ReferralCodeRedemption']

/** Who redeemed the user's codes, newest first. */
export const referralRedemptions = defineNoun({
  table: 'referralRedemptions',
  since: 2,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_redemption: ReferralRedemption) => ({}),
  sort: (a, b) => b.value.claimedAt.localeCompare(a.value.claimedAt) || b._id.localeCompare(a._id),
  list: {
    ask: (api, init) => api.GET('/v1/payments/referral-code-redemptions', init),
    pick: (body) => body.referralCodeRedemptions,
  },
})
