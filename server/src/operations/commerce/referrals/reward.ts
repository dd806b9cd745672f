import { and, asc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { ReadCtx, TxCtx } from '#server/context.ts'
import { addMonths } from '#server/calendar.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import {
  payments,
  referralCodes,
  referralRedemptions,
  storedPaymentMethods,
  users,
  wallets,
  walletTransactions,
} from '#server/db/schema.ts'
import { grant, reverse } from '#server/operations/core/ledger/book.ts'
import type { Reward } from '#server/operations/core/ledger/lots.ts'
import { withdrawalEnd } from '#server/operations/core/ledger/withdrawal.ts'
import { REFERRAL_REWARD_TOKENS } from '#spec/numbers.ts'

/** A person who subscribed, and the first money that came for a month of theirs, if it did. */
interface Subscriber {
  readonly userId: string
  readonly walletId: string
  /** When it was paid; null while no money has arrived. */
  readonly paidAt: Date | null
  /** HMAC of the card that is billed; null where the provider does not know it again. */
  readonly cardHash: string | null
}

/**
 * Moves the redemption of a subscriber on, if there is one: qualified when they have subscribed,
 * and rewarded, once, when money for a month has arrived. The owner of the code waits
 * ([Note: the owner waits] in owner-reward.ts). A card that another account has subscribed with, or
 * that has brought a reward before, brings none. Harmless to repeat. Takes the locks of the card,
 * the redemption and the wallet.
 */
export async function settleReferral(ctx: TxCtx, subscriber: Subscriber): Promise<void> {
  const { cardHash, paidAt, walletId } = subscriber
  if (cardHash !== null) await lockCard(ctx, cardHash)
  const row = await lockRedemption(ctx, subscriber)
  if (row === undefined) return
  const { id, qualifiedAt, rewardedAt, noReward } = row.redemption
  if (rewardedAt !== null || noReward !== null) return
  const now = ctx.clock()
  const change = async (set: Partial<typeof referralRedemptions.$inferInsert>) => {
    await ctx.db
      .update(referralRedemptions)
      .set({ qualifiedAt: qualifiedAt ?? now, ...set })
      .where(eq(referralRedemptions.id, id))
  }
  if (paidAt === null) return await change({})
  if (cardHash !== null && (await isCardKnown(ctx, subscriber.userId, cardHash)))
    return await change({ noReward: 'card-known' })
  await rewardSide(ctx, id, { whose: 'referee', walletId })
  await change({
    rewardedAt: now,
    cardHash,
    ownerWaitsUntil: withdrawalEnd({ paidAt }),
    ownerLookAt: now,
  })
}

/** Two first months by one card wait for each other. */
async function lockCard(ctx: TxCtx, cardHash: string): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${cardHash}, 0))`)
}

async function isCardKnown(ctx: TxCtx, userId: string, cardHash: string): Promise<boolean> {
  const billed = await ctx.db
    .select({ id: storedPaymentMethods.id })
    .from(storedPaymentMethods)
    .where(
      and(eq(storedPaymentMethods.cardHash, cardHash), ne(storedPaymentMethods.userId, userId)),
    )
    .limit(1)
  const rewarded = await ctx.db
    .select({ id: referralRedemptions.id })
    .from(referralRedemptions)
    .where(eq(referralRedemptions.cardHash, cardHash))
    .limit(1)
  return billed.length > 0 || rewarded.length > 0
}

/**
 * Takes the rewards back when the payment that earned them, the first for a month, went back: what
 * was spent of them meanwhile is taken from the month, then becomes debt. An owner who still waits
 * gets none. Harmless to repeat. Locks the wallets by id.
 */
export async function reverseReferral(
  ctx: TxCtx,
  { id, userId, walletTransactionId }: Pick<PaymentRow, 'id' | 'userId' | 'walletTransactionId'>,
): Promise<void> {
  const row = await lockRedemption(ctx, { userId })
  if (row === undefined || row.redemption.rewardedAt === null) return
  if (row.redemption.reversedAt !== null) return
  if ((await firstMonthOf(ctx, userId))?.id !== id) return
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
    .set({ reversedAt: ctx.clock(), ownerLookAt: null })
    .where(eq(referralRedemptions.id, row.redemption.id))
}

/** The payment that brings its person a reward: the first for a month. */
export async function firstMonthOf(
  ctx: Pick<ReadCtx, 'db'>,
  userId: string,
): Promise<PaymentRow | undefined> {
  const [first] = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), isNotNull(payments.walletSubscriptionId)))
    .orderBy(asc(payments.paidAt), asc(payments.id))
    .limit(1)
  return first
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
  const paymentId = (await firstMonthOf(ctx, userId))?.id
  return lot === undefined || paymentId === undefined ? null : { ...lot, paymentId }
}

/** The redemption of a person, locked, and who owns its code; undefined without one. */
export async function lockRedemption(ctx: TxCtx, { userId }: { readonly userId: string }) {
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

/** Grants one side its tokens, once for each redemption. */
export async function rewardSide(
  ctx: TxCtx,
  redemptionId: string,
  { whose, walletId }: Side,
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

/** The first wallet of a person in good standing; null of a locked or deleted account. */
export async function rewardableWalletOf(ctx: TxCtx, userId: string): Promise<string | null> {
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
