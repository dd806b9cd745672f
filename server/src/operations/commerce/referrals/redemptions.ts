import { desc, eq, type SQL } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import { referralCodes, referralRedemptions } from '#server/db/schema.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

/** A redemption as one of its two people sees it: `rewardedAt` is of their own reward. */
export interface RedemptionFacts extends Pick<
  typeof referralRedemptions.$inferSelect,
  'id' | 'refereeUserId' | 'claimedAt' | 'qualifiedAt' | 'rewardedAt' | 'noReward' | 'reversedAt'
> {
  readonly code: string
  /** Until when the owner of the code waits at most; null of the other side, and at the end. */
  readonly waitsUntil: Date | null
}

/** More than one person can show; a code that is shared with crowds must not make a call costly. */
const SHOWN_AT_MOST = 500

/** Redemptions of the user's codes, newest first, 500 at most. Needs read:referralCodes. */
export async function listRedemptions(ctx: ReadCtx & WithUser): Promise<RedemptionFacts[]> {
  requirePermission(ctx.user, 'read:referralCodes')
  const rows = await readRedemptions(ctx, eq(referralCodes.userId, ctx.user.id))
  return rows.map(({ code, redemption }) => {
    const { ownerRewardedAt, ownerLookAt, ownerWaitsUntil } = redemption
    const waitsUntil = ownerLookAt === null ? null : ownerWaitsUntil
    return { ...redemption, code, rewardedAt: ownerRewardedAt, waitsUntil }
  })
}

/** What the user redeemed, or null. */
export async function findOwnRedemption(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
): Promise<RedemptionFacts | null> {
  const [own] = await readRedemptions(ctx, eq(referralRedemptions.refereeUserId, ctx.user.id))
  return own === undefined ? null : { ...own.redemption, code: own.code, waitsUntil: null }
}

async function readRedemptions(ctx: Pick<ReadCtx, 'db'>, which: SQL) {
  return await ctx.db
    .select({ redemption: referralRedemptions, code: referralCodes.code })
    .from(referralRedemptions)
    .innerJoin(referralCodes, eq(referralCodes.id, referralRedemptions.codeId))
    .where(which)
    .orderBy(desc(referralRedemptions.claimedAt), desc(referralRedemptions.id))
    .limit(SHOWN_AT_MOST)
}
