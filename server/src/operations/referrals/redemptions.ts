import { desc, eq, type SQL } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import { referralCodes, referralRedemptions } from '#server/db/schema.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

/** A redemption with its code. */
export type RedemptionFacts = Omit<
  typeof referralRedemptions.$inferSelect,
  'refereeMailboxHash' | 'codeId'
> & { readonly code: string }

/** More than one person can show; a code that is shared with crowds must not make a call costly. */
const SHOWN_AT_MOST = 500

/** Redemptions of the user's codes, newest first, 500 at most. Needs read:referralCodes. */
export async function listRedemptions(ctx: ReadCtx & WithUser): Promise<RedemptionFacts[]> {
  requirePermission(ctx.user, 'read:referralCodes')
  return await readRedemptions(ctx, eq(referralCodes.userId, ctx.user.id))
}

/** What the user redeemed, or null. */
export async function findOwnRedemption(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
): Promise<RedemptionFacts | null> {
  const [own] = await readRedemptions(ctx, eq(referralRedemptions.refereeUserId, ctx.user.id))
  return own ?? null
}

async function readRedemptions(ctx: Pick<ReadCtx, 'db'>, which: SQL): Promise<RedemptionFacts[]> {
  const { id, refereeUserId, claimedAt, qualifiedAt, rewardedAt, reversedAt } = referralRedemptions
  return await ctx.db
    .select({
      id,
      refereeUserId,
      claimedAt,
      qualifiedAt,
      rewardedAt,
      reversedAt,
      code: referralCodes.code,
    })
    .from(referralRedemptions)
    .innerJoin(referralCodes, eq(referralCodes.id, referralRedemptions.codeId))
    .where(which)
    .orderBy(desc(claimedAt), desc(id))
    .limit(SHOWN_AT_MOST)
}
