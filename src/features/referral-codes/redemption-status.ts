import type { ReferralRedemption } from '#src/local/nouns/referral-redemptions.ts'

/**
 * How far a redemption is: claimed, subscribed, both sides have their tokens, and both have lost
 * them because the payment went back.
 */
export type RedemptionStatus = 'Pending' | 'Qualified' | 'Rewarded' | 'Reversed'

/** The furthest point that a redemption has reached. */
export function redemptionStatus({
  qualifiedAt,
  rewardedAt,
  reversedAt,
}: Pick<ReferralRedemption, 'qualifiedAt' | 'rewardedAt' | 'reversedAt'>): RedemptionStatus {
  // A row that an earlier version pulled has no such field.
  if (typeof reversedAt === 'string') return 'Reversed'
  if (rewardedAt !== null) return 'Rewarded'
  return qualifiedAt === null ? 'Pending' : 'Qualified'
}
