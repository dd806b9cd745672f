import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { ReadCtx, TxCtx } from '#server/context.ts'
import { addMonths } from '#server/calendar.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import {
  payments,
  referralCodes,
  referralRedemptions,
  users,
  wallets,
  walletTransactions,
} from '#server/db/schema.ts'
import { grant, reverse } from '#server/operations/ledger/book.ts'
import type { Reward } from '#server/operations/ledger/lots.ts'
import { REFERRAL_REWARD_TOKENS } from '#spec/numbers.ts'

/**
 * Moves the redemption of a subscriber on, if there is one: qualified when they have subscribed,
 * and rewarded, both sides once, when money for a month has arrived. The owner of the code gets
 * nothing while their account is locked, nor when it was deleted: the friend came by a code that
 * was good, so theirs stays. Harmless to repeat. The two wallets are locked by id, and before the
 * caller locks one of them, so that it cannot wait for another reward that waits for it.
 */
export async function settleReferral(
  ctx: TxCtx,
  subscriber: { readonly userId: string; readonly walletId: string; readonly hasPaid: boolean },
): Promise<void> {
  const row = await lockRedemption(ctx, subscriber)
  if (row === undefined || row.redemption.rewardedAt !== null) return
  const { id, qualifiedAt } = row.redemption
  const now = ctx.clock()
  if (subscriber.hasPaid) {
    const ownerWalletId = await rewardableWalletOf(ctx, row.ownerId)
    const sides: Side[] = [{ whose: 'referee', walletId: subscriber.walletId }]
    if (ownerWalletId !== null) sides.push({ whose: 'referrer', walletId: ownerWalletId })
    for (const side of sides.toSorted((a, b) => (a.walletId < b.walletId ? -1 : 1)))
      await reward(ctx, id, side)
  }
  await ctx.db
    .update(referralRedemptions)
    .set({ qualifiedAt: qualifiedAt ?? now, rewardedAt: subscriber.hasPaid ? now : null })
    .where(eq(referralRedemptions.id, id))
}

/**
 * Takes both rewards back when the payment that earned them, the first for a month, went back: what
 * was spent of them meanwhile is taken from the month, then becomes debt. Harmless to repeat. Locks
 * the wallets by id.
 */
export async function reverseReferral(
  ctx: TxCtx,
  { id, userId, walletTransactionId }: Pick<PaymentRow, 'id' | 'userId' | 'walletTransactionId'>,
): Promise<void> {
  const row = await lockRedemption(ctx, { userId })
  if (row === undefined || row.redemption.rewardedAt === null) return
  if (row.redemption.reversedAt !== null) return
  if ((await firstMonthOf(ctx, userId)) !== id) return
  const cause = `referral:${row.redemption.id}`
  const rewards = await ctx.db
    .select({
      id: walletTransactions.id,
      walletId: wallets.id,
      coinAmount: walletTransactions.coinAmount,
    })
    .from(wallets)
    .innerJoin(walletTransactions, eq(walletTransactions.walletId, wallets.id))
    .where(
      and(
        inArray(wallets.userId, [userId, row.ownerId]),
        inArray(walletTransactions.cause, [`${cause}:referee`, `${cause}:referrer`]),
      ),
    )
    .orderBy(asc(wallets.id))
  for (const reward of rewards)
    await reverse(ctx, {
      walletId: reward.walletId,
      kind: 'purchase-reversal',
      purchaseId: reward.id,
      // The tokens that a withdrawal left there: the spent part of the reward was paid with them.
      nextLotId: walletTransactionId,
      coinAmount: reward.coinAmount,
      cause: `${cause}:reversed`,
      description: 'Referral reward taken back with the payment',
    })
  await ctx.db
    .update(referralRedemptions)
    .set({ reversedAt: ctx.clock() })
    .where(eq(referralRedemptions.id, row.redemption.id))
}

/** The payment that brings its person a reward: the first for a month. */
async function firstMonthOf(ctx: Pick<ReadCtx, 'db'>, userId: string): Promise<string | undefined> {
  const [first] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.userId, userId), isNotNull(payments.walletSubscriptionId)))
    .orderBy(asc(payments.paidAt), asc(payments.id))
    .limit(1)
  return first?.id
}

/** The reward that a person got, and the payment that brought it; null when it went back. */
export async function readReward(
  ctx: Pick<ReadCtx, 'db'>,
  { userId }: Pick<PaymentRow, 'userId'>,
): Promise<(Reward & { readonly paymentId: string }) | null> {
  const [lot] = await ctx.db
    .select({ lotId: walletTransactions.id, coinAmount: walletTransactions.coinAmount })
    .from(referralRedemptions)
    .innerJoin(wallets, eq(wallets.userId, referralRedemptions.refereeUserId))
    .innerJoin(
      walletTransactions,
      and(
        eq(walletTransactions.walletId, wallets.id),
        eq(
          walletTransactions.cause,
          sql`'referral:' || ${referralRedemptions.id}::text || ':referee'`,
        ),
      ),
    )
    .where(
      and(eq(referralRedemptions.refereeUserId, userId), isNull(referralRedemptions.reversedAt)),
    )
  const paymentId = await firstMonthOf(ctx, userId)
  return lot === undefined || paymentId === undefined ? null : { ...lot, paymentId }
}

async function lockRedemption(ctx: TxCtx, { userId }: { readonly userId: string }) {
  const [row] = await ctx.db
    .select({ redemption: referralRedemptions, ownerId: referralCodes.userId })
    .from(referralRedemptions)
    .innerJoin(referralCodes, eq(referralCodes.id, referralRedemptions.codeId))
    .where(eq(referralRedemptions.refereeUserId, userId))
    .for('update', { of: referralRedemptions })
  return row
}

/** One of the two who are rewarded. */
interface Side {
  readonly whose: 'referee' | 'referrer'
  readonly walletId: string
}

const DESCRIPTIONS = {
  referee: 'Referral reward for subscribing with a code',
  referrer: 'Referral reward for a friend who subscribed',
} as const

async function reward(ctx: TxCtx, redemptionId: string, { whose, walletId }: Side): Promise<void> {
  await grant(ctx, {
    walletId,
    kind: 'referral-reward',
    coinAmount: REFERRAL_REWARD_TOKENS,
    description: DESCRIPTIONS[whose],
    cause: `referral:${redemptionId}:${whose}`,
    expiresAt: new Date(addMonths(ctx.clock().getTime(), 1)),
  })
}

/** The first wallet of a person in good standing; null of a locked or deleted account. */
async function rewardableWalletOf(ctx: TxCtx, userId: string): Promise<string | null> {
  const rows = await ctx.db
    .select({ id: wallets.id, lockedAt: users.lockedAt, deletedAt: users.deletedAt })
    .from(wallets)
    .innerJoin(users, eq(users.id, wallets.userId))
    .where(eq(wallets.userId, userId))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
    .limit(1)
  const { id, lockedAt, deletedAt } = onlyRow(rows)
  return lockedAt === null && deletedAt === null ? id : null
}
