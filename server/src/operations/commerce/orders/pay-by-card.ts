import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { JobRow, OrderRow } from '#server/db/rows.ts'
import { wallets } from '#server/db/schema.ts'
import { readWalletStates, spend } from '#server/operations/core/ledger/book.ts'
import { Problem } from '#server/problems.ts'
import { markPaidByTokens } from './mark-paid.ts'
import { readPayable } from './payable.ts'

/** Tokens that pay an order after a card has bought some of them, and whose. */
interface CardPayment {
  readonly order: OrderRow
  readonly job: JobRow
  readonly walletId: string
  /** The most that is taken: what was bought, and what was promised of the wallet. */
  readonly coinAmount: number
  readonly cause: string
}

/**
 * Pays an order, or a part of it, when a card has bought tokens for it, in the transaction that
 * credits them. The caller holds the lock of the order. An order that can no longer be paid
 * (cancelled, paid meanwhile, its video unusable) takes nothing: the tokens stay in the wallet.
 * Returns what was taken.
 */
export async function payOrderByCard(
  ctx: TxCtx,
  { order, job, walletId, coinAmount, cause }: CardPayment,
): Promise<number> {
  const payable = await readPayable(ctx, { order, job }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    ctx.log.info('payments/order-not-payable', { orderId: order.id, code: error.code })
    return null
  })
  if (payable === null) return 0
  // Credit that was used before the purchase is settled by it first.
  const amount = Math.min(payable.remaining, coinAmount, await readSpendable(ctx, walletId))
  if (amount === 0) return 0
  const { description } = payable
  await spend(ctx, { walletId, coinAmount: amount, cause, orderId: order.id, description })
  if (amount === payable.remaining) await markPaidByTokens(ctx, { order })
  return amount
}

async function readSpendable(ctx: TxCtx, walletId: string): Promise<number> {
  const row = onlyRow(await ctx.db.select().from(wallets).where(eq(wallets.id, walletId)))
  return (await readWalletStates(ctx, { rows: [row] })).get(walletId)?.spendableCoinAmount ?? 0
}
