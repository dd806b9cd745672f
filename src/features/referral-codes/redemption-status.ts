import { dateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import type { ReferralRedemption } from '#src/local/nouns/referral-redemptions.ts'
import { REFERRAL_REWARD_SLUG, REFERRAL_REWARD_TOKENS } from '#spec/numbers.ts'

/**
 * How far a redemption is for the owner of the code: claimed, subscribed, the owner has their
 * tokens, has lost them because the payment went back, and gets none.
 */
export type RedemptionStatus = 'Pending' | 'Qualified' | 'Rewarded' | 'Reversed' | 'No reward'

/** The furthest point that a redemption has reached. */
export function redemptionStatus({
  qualifiedAt,
  rewardedAt,
  reversedAt,
  noReward,
}: Pick<
  ReferralRedemption,
  'qualifiedAt' | 'rewardedAt' | 'reversedAt' | 'noReward'
>): RedemptionStatus {
  // A row that an earlier version pulled has no such fields.
  const isReversed = typeof reversedAt === 'string'
  if (rewardedAt !== null) return isReversed ? 'Reversed' : 'Rewarded'
  if (isReversed || typeof noReward === 'string') return 'No reward'
  return qualifiedAt === null ? 'Pending' : 'Qualified'
}

const WHY_NONE = {
  'card-known': 'None: this card was used by another account',
  'owner-not-in-standing': 'None: your account was locked',
} as const

/**
 * What the owner of the code gets, and why it waits or does not come. A reward that this version
 * does not know is shown by its name.
 */
export function rewardWords(redemption: ReferralRedemption): string {
  const { rewardSlug, rewardWaitsUntil, noReward } = redemption
  if (redemptionStatus(redemption) === 'No reward')
    return typeof noReward === 'string' ? WHY_NONE[noReward] : 'None: the payment went back'
  const reward = rewardSlug === REFERRAL_REWARD_SLUG ? tokens(REFERRAL_REWARD_TOKENS) : rewardSlug
  if (typeof rewardWaitsUntil !== 'string') return reward
  return `${reward}, waiting until ${dateWords(Date.parse(rewardWaitsUntil))}`
}
