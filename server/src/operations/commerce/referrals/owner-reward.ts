/**
 * [Note: the owner waits] The owner of a code is rewarded when the money of the friend's month is
 * safe: the days of withdrawal are over, or all tokens of the month are used and none can come
 * back. Before that, two accounts of one person could take the reward and then the money. What the
 * friend gets needs no wait: it is theirs alone, and counts as used of the month.
 */
import { and, asc, eq, exists, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTransaction, type Ctx, type ReadCtx, type TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import {
  lotSpends,
  mediaJobTasks,
  orderLineItems,
  payments,
  referralRedemptions,
  walletTransactions,
} from '#server/db/schema.ts'
import { unusedOf } from '#server/operations/core/ledger/lots.ts'
import { lockWallet, readAllLots } from '#server/operations/core/ledger/records.ts'
import { lockCheckout } from '#server/operations/commerce/orders/lock-checkout.ts'
import { isGivenBack, withdrawalEnd } from '#server/operations/core/ledger/withdrawal.ts'
import {
  firstMonthOf,
  lockRedemption,
  readReward,
  rewardableWalletOf,
  rewardSide,
} from './reward.ts'

/** How many owners one minute looks at; the rest, looked at longest ago, comes next. */
const AT_ONCE = 100
/** How often it is seen whether the month is used up. */
const LOOK_EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Names a redemption by the person who redeemed. */
interface OfReferee {
  readonly refereeId: string
}

/** The redemptions whose owners may be due, those that were looked at longest ago first. */
export async function listDueOwners(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<OfReferee[]> {
  return await ctx.db
    .select({ refereeId: referralRedemptions.refereeUserId })
    .from(referralRedemptions)
    .where(lte(referralRedemptions.ownerLookAt, ctx.clock()))
    .orderBy(asc(referralRedemptions.ownerLookAt))
    .limit(AT_ONCE)
}

/**
 * Rewards the owner of the code that a person redeemed, once, if the money of that person's first
 * month is safe; else notes when to look again. A month whose money went back rewards no owner, and
 * no owner is rewarded whose account is locked or deleted. Harmless to repeat.
 * @param readAgain reads the payment from its provider, whose notice may be on its way
 */
export async function rewardOwner(
  ctx: Ctx,
  { refereeId }: OfReferee,
  readAgain: (payment: PaymentRow) => Promise<void>,
): Promise<void> {
  const month = await firstMonthOf(ctx, refereeId)
  if (month === undefined) return
  // Behind all that is due by then, should the provider be away.
  await lookAgainAt(ctx, refereeId, ctx.clock())
  if (await isSafe(ctx, month)) await readAgain(month)
  await inTransaction(ctx, async (ctx) => {
    // In the sequence of what books a payment: checkout, payment, redemption, wallets by id.
    await lockCheckout(ctx, { id: month.checkoutSessionId })
    const payment = onlyRow(
      await ctx.db.select().from(payments).where(eq(payments.id, month.id)).for('update'),
    )
    const row = await lockRedemption(ctx, { userId: refereeId })
    if (row === undefined || row.redemption.ownerLookAt === null) return
    const { id, ownerWaitsUntil } = row.redemption
    if (isGivenBack(payment)) {
      await settleOwner(ctx, id, {})
      return
    }
    const owner = await rewardableWalletOf(ctx, row.ownerId)
    await lockBoth(ctx, payment, owner)
    if (payment.state === 'disputed' || !(await isSafe(ctx, payment))) {
      await lookAgainAt(ctx, refereeId, nextLook(ctx.clock(), ownerWaitsUntil))
      return
    }
    if (owner === null) {
      await settleOwner(ctx, id, { noReward: 'owner-not-in-standing' })
      return
    }
    await rewardSide(ctx, id, { whose: 'referrer', walletId: owner })
    await settleOwner(ctx, id, { ownerRewardedAt: ctx.clock() })
  })
}

/** Each hour, and at the end of the wait; each day once that is over and a dispute is open. */
function nextLook(now: Date, waitsUntil: Date | null): Date {
  if (waitsUntil === null || waitsUntil <= now) return new Date(now.getTime() + DAY_MS)
  return new Date(Math.min(now.getTime() + LOOK_EVERY_MS, waitsUntil.getTime()))
}

async function lookAgainAt(
  ctx: Pick<ReadCtx, 'db'>,
  refereeId: string,
  ownerLookAt: Date,
): Promise<void> {
  await ctx.db
    .update(referralRedemptions)
    .set({ ownerLookAt })
    .where(
      and(
        eq(referralRedemptions.refereeUserId, refereeId),
        sql`${referralRedemptions.ownerLookAt} is not null`,
      ),
    )
}

async function settleOwner(
  ctx: TxCtx,
  id: string,
  end: Partial<Pick<typeof referralRedemptions.$inferInsert, 'noReward' | 'ownerRewardedAt'>>,
): Promise<void> {
  await ctx.db
    .update(referralRedemptions)
    .set({ ownerLookAt: null, ...end })
    .where(eq(referralRedemptions.id, id))
}

/** What the month holds must not change while it is decided on. */
async function lockBoth(ctx: TxCtx, month: PaymentRow, owner: string | null): Promise<void> {
  const { walletId } = await lotOf(ctx, month)
  const both = owner === null ? [walletId] : [walletId, owner]
  for (const id of both.toSorted()) await lockWallet(ctx, id)
}

async function lotOf(ctx: Pick<ReadCtx, 'db'>, { walletTransactionId }: PaymentRow) {
  const rows = await ctx.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.id, walletTransactionId))
  return onlyRow(rows)
}

/** Whether no money of a month can be withdrawn any more. */
async function isSafe(ctx: ReadCtx, month: PaymentRow): Promise<boolean> {
  if (ctx.clock() >= withdrawalEnd(month)) return true
  const { walletId } = await lotOf(ctx, month)
  const reward = await readReward(ctx, month)
  const lots = await readAllLots(ctx, [walletId])
  if (unusedOf(lots, month.walletTransactionId, reward, ctx.clock()) > 0) return false
  const grants = [month.walletTransactionId, ...(reward === null ? [] : [reward.lotId])]
  return !(await mayComeBack(ctx, grants))
}

const lot = alias(walletTransactions, 'lot')
const spent = alias(walletTransactions, 'spent')

/** Whether tokens of these grants paid for an edit that is not made yet, and may still fail. */
async function mayComeBack(ctx: ReadCtx, grantIds: readonly string[]): Promise<boolean> {
  const unmade = ctx.db
    .select({ one: sql`1` })
    .from(orderLineItems)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, orderLineItems.taskId))
    .where(
      and(
        eq(orderLineItems.orderId, spent.orderId),
        inArray(mediaJobTasks.status, ['created', 'started']),
      ),
    )
  const found = await ctx.db
    .select({ id: lotSpends.id })
    .from(lotSpends)
    .innerJoin(lot, eq(lot.id, lotSpends.lotId))
    .innerJoin(spent, eq(spent.id, lotSpends.spendId))
    .where(
      and(
        or(inArray(lot.id, [...grantIds]), inArray(lot.originId, [...grantIds])),
        isNull(lotSpends.returnId),
        exists(unmade),
      ),
    )
    .limit(1)
  return found.length > 0
}
