import type { ReferralRedemption } from '#src/local/nouns/referral-redemptions.ts'

/** How far a redemption is: claimed, subscribed, and both sides have their tokens. */
export type RedemptionStatus = 'Pending' | 'Qualified' | 'Rewarded'

/** The furthest point that a redemption has reached. */
export function redemptionStatus({
  qualifiedAt,
  rewardedAt,
}: Pick<ReferralRedemption, 'qualifiedAt' | 'rewardedAt'>): RedemptionStatus {
  if (rewardedAt !== null) return 'Rewarded'
  return qualifiedAt === null ? 'Pending' : 'Qualified'
}
