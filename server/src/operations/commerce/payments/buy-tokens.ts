import { and, eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { getWallet } from '#server/operations/core/ledger/wallets.ts'
import { lockOrder } from '#server/operations/commerce/orders/find.ts'
import { readPayable } from '#server/operations/commerce/orders/payable.ts'
import { refuseOff } from '#server/policies/refuse-off.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { chargedCoins, refuseAmount } from './amounts.ts'
import { refuseDisputed } from './disputes.ts'
import { newCheckout, openCheckout } from './open.ts'

/** Tokens that a person wants to buy, for an order or for later. */
interface TokenAsk {
  readonly walletId: string
  readonly orderId: string | null
  readonly coinAmount: number
  /** So many tokens of the wallet pay the order too, when the card has paid. */
  readonly walletCoinAmount: number
  /** The same key opens the same session; null opens a new one. */
  readonly idempotencyKey: string | null
}

/** Pages that one account may begin in an hour: each costs a call to the provider. */
export const CHECKOUTS_PER_HOUR = 60

/**
 * Begins a card payment for tokens: 2,000 to 100,000, or 1 to 100,000 for an order. Repeating the
 * key gives the same session. Needs create:fundSourceWalletCoinTransactions. Refuses:
 * `payments/off`, `payments/amount-out-of-range`, `wallets/not-found`, `orders/not-found`, what
 * `readPayable` refuses of the order, `payments/disputed`, `request/too-many`,
 * `request/idempotency-conflict`, `payments/provider-away`.
 */
export async function buyTokens(ctx: UserCtx, ask: TokenAsk): Promise<CheckoutRow> {
  refuseOff(ctx)
  requirePermission(ctx.user, 'create:fundSourceWalletCoinTransactions')
  refuseAmount(ask)
  const intentKey = `tokens:${ask.idempotencyKey ?? ctx.newId()}`
  const row = await inTransaction(ctx, async (ctx) => {
    const earlier = await findByIntent(ctx, ctx.user.id, intentKey)
    if (earlier !== undefined) return sameAsk(earlier, ask)
    await getWallet(ctx, ask)
    await refuseDisputed(ctx)
    if (ask.orderId !== null) await readPayable(ctx, await lockOrder(ctx, { orderId: ask.orderId }))
    await countOrRefuse(ctx, {
      key: `checkout:${ctx.user.id}`,
      limit: CHECKOUTS_PER_HOUR,
      what: 'payments were begun',
    })
    const inserted = await ctx.db
      .insert(checkoutSessions)
      .values({
        ...newCheckout(ctx),
        userId: ctx.user.id,
        walletId: ask.walletId,
        orderId: ask.orderId,
        kind: 'tokens',
        coinAmount: ask.coinAmount,
        chargedCoinAmount: chargedCoins(ask.coinAmount),
        walletCoinAmount: ask.walletCoinAmount,
        intentKey,
      })
      .returning()
    return onlyRow(inserted)
  })
  return await openCheckout(ctx, { row })
}

async function findByIntent(
  ctx: Pick<TxCtx, 'db'>,
  userId: string,
  intentKey: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.userId, userId), eq(checkoutSessions.intentKey, intentKey)))
  return row
}

function sameAsk(row: CheckoutRow, ask: TokenAsk): CheckoutRow {
  if (
    row.walletId === ask.walletId &&
    row.orderId === ask.orderId &&
    row.coinAmount === ask.coinAmount &&
    row.walletCoinAmount === ask.walletCoinAmount
  )
    return row
  throw new Problem(
    'request/idempotency-conflict',
    'This key was already used for another payment. Start again with a new key.',
  )
}
