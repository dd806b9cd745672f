import { asc, eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { addMonths } from '#server/calendar.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { referralCodes, referralRedemptions, wallets } from '#server/db/schema.ts'
import { grant } from '#server/operations/ledger/book.ts'
import { REFERRAL_REWARD_TOKENS } from '#spec/numbers.ts'

/**
 * Moves the redemption of a subscriber on, if there is one: qualified when they have subscribed,
 * and rewarded, both sides once, when money for a month has arrived. Harmless to repeat. The two
 * wallets are locked by id, and before the caller locks one of them, so that it cannot wait for
 * another reward that waits for it.
 */
export async function settleReferral(
  ctx: TxCtx,
  subscriber: { readonly userId: string; readonly walletId: string; readonly hasPaid: boolean },
): Promise<void> {
  const [row] = await ctx.db
    .select({ redemption: referralRedemptions, ownerId: referralCodes.userId })
    .from(referralRedemptions)
    .innerJoin(referralCodes, eq(referralCodes.id, referralRedemptions.codeId))
    .where(eq(referralRedemptions.refereeUserId, subscriber.userId))
    .for('update', { of: referralRedemptions })
  if (row === undefined || row.redemption.rewardedAt !== null) return
  const { id, qualifiedAt } = row.redemption
  const now = ctx.clock()
  if (subscriber.hasPaid) {
    const ownerWalletId = await firstWalletOf(ctx, row.ownerId)
    const sides = [
      { whose: 'referee', walletId: subscriber.walletId },
      { whose: 'referrer', walletId: ownerWalletId },
    ] as const
    for (const side of sides.toSorted((a, b) => (a.walletId < b.walletId ? -1 : 1)))
      await reward(ctx, id, side)
  }
  await ctx.db
    .update(referralRedemptions)
    .set({ qualifiedAt: qualifiedAt ?? now, rewardedAt: subscriber.hasPaid ? now : null })
    .where(eq(referralRedemptions.id, id))
}

const DESCRIPTIONS = {
  referee: 'Referral reward for subscribing with a code',
  referrer: 'Referral reward for a friend who subscribed',
} as const

async function reward(
  ctx: TxCtx,
  redemptionId: string,
  { whose, walletId }: { readonly whose: 'referee' | 'referrer'; readonly walletId: string },
): Promise<void> {
  await grant(ctx, {
    walletId,
    kind: 'referral-reward',
    coinAmount: REFERRAL_REWARD_TOKENS,
    description: DESCRIPTIONS[whose],
    cause: `referral:${redemptionId}:${whose}`,
    expiresAt: new Date(addMonths(ctx.clock().getTime(), 1)),
  })
}

async function firstWalletOf(ctx: TxCtx, userId: string): Promise<string> {
  const rows = await ctx.db
    .select({ id: wallets.id })
    .from(wallets)
    .where(eq(wallets.userId, userId))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
    .limit(1)
  return onlyRow(rows).id
}
