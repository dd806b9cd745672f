import { and, desc, eq } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { PaymentRow } from '#server/db/rows.ts'
import { checkoutSessions, payments } from '#server/db/schema.ts'
import { unusedOf } from '#server/operations/core/ledger/lots.ts'
import { readAllLots } from '#server/operations/core/ledger/records.ts'
import { readReward } from '#server/operations/commerce/referrals/reward.ts'
import { notFound } from '#server/problems.ts'
import { centsOfCoins, withdrawableUntil } from './money-back.ts'

/** A payment with what its screen needs beside the row. */
export interface ListedPayment {
  readonly row: PaymentRow
  /** The order that the tokens were bought for. */
  readonly orderId: string | null
  /** Null when none of its tokens can be given back. */
  readonly withdrawable: Withdrawable | null
}

/** The unused tokens of a payment that can be given back now, and what comes back for them. */
interface Withdrawable {
  readonly until: Date
  readonly coinAmount: number
  readonly cents: number
}

/** Names one of the user's payments. */
export interface PaymentName {
  readonly id: string
}

/** The history shows this many payments, the newest. */
const HISTORY_LIMIT = 500

/** The user's payments, newest first. */
export async function listPayments(ctx: ReadCtx & WithUser): Promise<ListedPayment[]> {
  return await readPayments(ctx, {})
}

/** One of the user's payments, or `payments/not-found`. */
export async function getPayment(
  ctx: ReadCtx & WithUser,
  name: PaymentName,
): Promise<ListedPayment> {
  const [payment] = await readPayments(ctx, name)
  if (payment === undefined) throw notFound('payments/not-found')
  return payment
}

async function readPayments(
  ctx: ReadCtx & WithUser,
  { id }: Partial<PaymentName>,
): Promise<ListedPayment[]> {
  const found = await ctx.db
    .select({
      row: payments,
      orderId: checkoutSessions.orderId,
      walletId: checkoutSessions.walletId,
    })
    .from(payments)
    .innerJoin(checkoutSessions, eq(checkoutSessions.id, payments.checkoutSessionId))
    .where(
      and(eq(payments.userId, ctx.user.id), id === undefined ? undefined : eq(payments.id, id)),
    )
    .orderBy(desc(payments.paidAt), desc(payments.id))
    .limit(HISTORY_LIMIT)
  const allLots = await readAllLots(ctx, [...new Set(found.map(({ walletId }) => walletId))])
  const reward = await readReward(ctx, { userId: ctx.user.id })
  const now = ctx.clock()
  return found.map(({ row, orderId, walletId }) => {
    const lots = allLots.filter((lot) => lot.walletId === walletId)
    const brought = reward?.paymentId === row.id ? reward : null
    const unused = unusedOf(lots, row.walletTransactionId, brought, now)
    // Another provider's payment cannot be read, nor refunded: one of tests, on a server gone live.
    const isOurs = row.provider === ctx.payments.name
    return { row, orderId, withdrawable: isOurs ? withdrawableOf(row, unused, now) : null }
  })
}

function withdrawableOf(row: PaymentRow, unused: number, now: Date): Withdrawable | null {
  const until = withdrawableUntil(row, unused, now)
  return until === null ? null : { until, coinAmount: unused, cents: centsOfCoins(row, unused) }
}
