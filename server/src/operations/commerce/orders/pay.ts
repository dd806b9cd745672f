import { and, eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import type { JobRow, OrderRow } from '#server/db/rows.ts'
import { walletTransactions } from '#server/db/schema.ts'
import { spend } from '#server/operations/core/ledger/book.ts'
import { getWallet, type WalletFacts } from '#server/operations/core/ledger/wallets.ts'
import { refuseHeldJob } from '#server/operations/media/uploads/refuse-held.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { readOrder, type OrderFacts } from './facts.ts'
import { lockOrder } from './find.ts'
import { markPaidByTokens } from './mark-paid.ts'
import { readPayable } from './payable.ts'

/** A payment: exactly `coinAmount` of one of the user's wallets, once for each key. */
interface TokenPayment {
  readonly orderId: string
  readonly walletId: string
  readonly coinAmount: number
  /** What the person saw was left to pay, or null where that was not said. */
  readonly expectedRemaining: number | null
  readonly idempotencyKey: string
}

/** Order and wallet after a payment; `isNew` is false when the payment repeats an earlier one. */
interface Paid {
  readonly order: OrderFacts
  readonly wallet: WalletFacts
  readonly isNew: boolean
}

/**
 * Pays an order, or a part of it, with tokens: all of `coinAmount` or nothing. Payments of one
 * order and of one wallet wait for each other ([Note: lock order] in find.ts), so that two devices
 * spend once. The last payment starts the work in the same transaction. Needs
 * create:fundSourceWalletCoinTransactions and create:orders. Refuses: `orders/not-found`,
 * `wallets/not-found`, `payments/insufficient-tokens`, `orders/already-paid`, `orders/canceled`,
 * `orders/metadata-pending`, `orders/changed`, `orders/amount-too-high`, `uploads/failed`,
 * `uploads/aborted`, `uploads/held`, `presets/needs-sound`, `presets/unfit-options`,
 * `request/idempotency-conflict`.
 */
export async function payOrderWithTokens(ctx: UserCtx, payment: TokenPayment): Promise<Paid> {
  // First, because its words are about tokens; both rights end together.
  requirePermission(ctx.user, 'create:fundSourceWalletCoinTransactions')
  requirePermission(ctx.user, 'create:orders')
  return await inTransaction(ctx, async (ctx) => {
    const { order, job } = await lockOrder(ctx, payment)
    await refuseHeldJob(ctx, { mediaJobId: job.id })
    const { wallet } = await getWallet(ctx, payment)
    const booking = {
      walletId: wallet.id,
      coinAmount: payment.coinAmount,
      cause: `order:${order.id}:${payment.idempotencyKey}`,
    }
    const isRepeated = await wasPaidBefore(ctx, order, booking)
    const { expectedRemaining } = payment
    const settled = isRepeated ? order : await book(ctx, { order, job, expectedRemaining }, booking)
    return {
      order: await readOrder(ctx, { row: settled }),
      wallet: await getWallet(ctx, payment),
      isNew: !isRepeated,
    }
  })
}

interface PaymentBooking {
  readonly walletId: string
  readonly coinAmount: number
  readonly cause: string
}

async function wasPaidBefore(
  ctx: TxCtx,
  order: OrderRow,
  { walletId, coinAmount, cause }: PaymentBooking,
): Promise<boolean> {
  const [earlier] = await ctx.db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.orderId, order.id), eq(walletTransactions.cause, cause)))
  if (earlier === undefined) return false
  if (earlier.walletId === walletId && earlier.coinAmount === -coinAmount) return true
  throw new Problem(
    'request/idempotency-conflict',
    'This key was already used for another payment. Start again with a new key.',
  )
}

async function book(
  ctx: TxCtx,
  {
    order,
    job,
    expectedRemaining,
  }: { readonly order: OrderRow; readonly job: JobRow } & Pick<TokenPayment, 'expectedRemaining'>,
  booking: PaymentBooking,
): Promise<OrderRow> {
  const { remaining, description } = await readPayable(ctx, { order, job })
  // A payment that waited for a connection may arrive after its order was changed or paid in part.
  if (expectedRemaining !== null && expectedRemaining !== remaining)
    throw new Problem(
      'orders/changed',
      `This order has changed: ${remaining} tokens are left to pay, not ${expectedRemaining}.`,
    )
  if (booking.coinAmount > remaining) {
    const message = `Only ${remaining} tokens are left to pay.`
    throw new Problem('orders/amount-too-high', message, {
      fields: { 'walletCoinTransaction.coinAmount': message },
    })
  }
  await spend(ctx, { ...booking, orderId: order.id, description })
  return booking.coinAmount === remaining ? await markPaidByTokens(ctx, { order }) : order
}
