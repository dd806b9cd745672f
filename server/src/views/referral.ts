import type { components } from '#openapi/schema.gen.ts'
import type { ReferralCodeRow } from '#server/db/rows.ts'
import type { RedemptionFacts } from '#server/operations/commerce/referrals/redemptions.ts'
import { REFERRAL_REWARD_SLUG } from '#spec/numbers.ts'

type Schemas = components['schemas']

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
    reversedAt: facts.reversedAt?.toISOString() ?? null,
    rewardWaitsUntil: facts.waitsUntil?.toISOString() ?? null,
    noReward: facts.noReward,
    rewardSlug: REFERRAL_REWARD_SLUG,
  }
}
