import type { components } from '#openapi/schema.gen.ts'
import type { ReferralCodeRow } from '#server/db/rows.ts'
import type { RedemptionFacts } from '#server/operations/referrals/redemptions.ts'

type Schemas = components['schemas']

/** The one reward there is. */
const REWARD_SLUG = 'tokens-1900-one-month'

/** A code of its owner as the contract shows it. */
export function viewReferralCode({
  id,
  code,
  createdAt,
}: ReferralCodeRow): Schemas['ReferralCode'] {
  return { _id: id, code, createdAt: createdAt.toISOString() }
}

/** A redemption as the contract shows it; of the person who redeemed no more than the id. */
export function viewRedemption(facts: RedemptionFacts): Schemas['ReferralCodeRedemption'] {
  return {
    _id: facts.id,
    code: facts.code,
    refereeUserId: facts.refereeUserId,
    claimedAt: facts.claimedAt.toISOString(),
    qualifiedAt: facts.qualifiedAt?.toISOString() ?? null,
    rewardedAt: facts.rewardedAt?.toISOString() ?? null,
    rewardSlug: REWARD_SLUG,
  }
}
