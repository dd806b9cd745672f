import { and, eq, inArray, ne } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orderLineItems, orders, walletTransactions } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { refund, spend } from '#server/operations/ledger/book.ts'
import { lockOrder, markPaid, refuseDeadUpload, viewOrder } from './create.ts'
import { orderTotals, readOrderParts, type OrderRow, type OrderView } from './totals.ts'
import { refuseSoundlessJob } from '#server/operations/refuse-soundless.ts'
import { findWallet, getWallet } from '#server/operations/ledger/wallets.ts'

/** A payment as it arrives: spend exactly `coinAmount` of one own wallet, once for each key. */
export interface TokenPayment {
  readonly walletId: string
  readonly coinAmount: number
  readonly idempotencyKey: string
}
/**
 * Order and wallet after a payment; `isNew` is false when the same payment had been made before.
 */
export interface Paid {
  readonly order: OrderView
  readonly wallet: components['schemas']['Wallet']
  readonly isNew: boolean
}

/**
 * Pays an order, or a part of it, with tokens: all of `coinAmount` or nothing. Payments of one
 * order and of one wallet wait for each other ([Note: lock order] in orders.ts), so that two
 * devices spend once. The last payment starts the work in the same transaction. Needs
 * create:fundSourceWalletCoinTransactions and create:orders. Refuses: 402
 * `payments/insufficient-tokens`, 404, 409 `orders/already-paid`, `orders/canceled`,
 * `orders/metadata-pending`, `uploads/failed`, `request/idempotency-conflict`, 422
 * `orders/amount-too-high`, `presets/needs-sound`.
 */
export async function payOrderWithTokens(
  deps: Deps,
  user: CurrentUser,
  orderId: string,
  payment: TokenPayment,
): Promise<Paid> {
  requirePermission(user, 'create:orders')
  requirePermission(user, 'create:fundSourceWalletCoinTransactions')
  return deps.db.transaction(async (tx) => {
    const { order, job } = await lockOrder(tx, user.id, orderId)
    const wallet = await findWallet(tx, user.id, payment.walletId)
    const cause = `order:${order.id}:${payment.idempotencyKey}`
    const isRepeated = await wasPaidBefore(tx, order, cause, payment)
    if (!isRepeated) {
      await refuseDeadUpload(tx, job)
      await refuseSoundlessJob(tx, job)
    }
    const settled = isRepeated
      ? order
      : await book(tx, deps, order, { ...payment, walletId: wallet.id }, cause)
    return {
      order: await viewOrder(tx, settled),
      wallet: await getWallet(tx, deps, user.id, wallet.id),
      isNew: !isRepeated,
    }
  })
}

/**
 * Gives back what was paid for a task that failed or was cancelled, once; what was not paid, or
 * came back already, is left. Returns the tokens given back, 0 for a task without an order. Takes
 * the order's lock.
 */
export async function refundTask(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId'>,
  taskId: string,
): Promise<number> {
  const [found] = await tx
    .select({ order: orders, item: orderLineItems })
    .from(orderLineItems)
    .innerJoin(orders, eq(orders.id, orderLineItems.orderId))
    .where(and(eq(orderLineItems.taskId, taskId), ne(orders.status, 'canceled')))
    .for('update', { of: orders })
  if (found === undefined) return 0
  const { items, booked } = await readOrderParts(tx, [found.order.id])
  const { paid, refunded } = orderTotals(found.order.status, items, booked)
  const coinAmount = Math.min(found.item.coinAmount, paid - refunded)
  if (coinAmount <= 0) return 0
  const rows = await refund(tx, deps, {
    orderId: found.order.id,
    coinAmount,
    cause: `task:${taskId}`,
    description: `Refund: ${found.item.description}`,
  })
  return rows.reduce((sum, row) => sum + row.coinAmount, 0)
}

/** Tokens that came back for tasks, by task id; tasks without a refund are absent. */
export async function refundedByTaskId(
  tx: Tx | Db,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (taskIds.length === 0) return new Map()
  const rows = await tx
    .select({ cause: walletTransactions.cause, coinAmount: walletTransactions.coinAmount })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.kind, 'order-refund'),
        inArray(
          walletTransactions.orderId,
          tx
            .select({ id: orderLineItems.orderId })
            .from(orderLineItems)
            .where(inArray(orderLineItems.taskId, [...taskIds])),
        ),
      ),
    )
  const sums = new Map<string, number>()
  for (const row of rows) {
    // A refund into several lots has one booking for each: task:<id>, task:<id>#2, …
    const taskId = row.cause.replace(/^task:/, '').replace(/#\d+$/, '')
    if (taskIds.includes(taskId)) sums.set(taskId, (sums.get(taskId) ?? 0) + row.coinAmount)
  }
  return sums
}

async function wasPaidBefore(
  tx: Tx,
  order: OrderRow,
  cause: string,
  payment: TokenPayment,
): Promise<boolean> {
  const [earlier] = await tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.orderId, order.id), eq(walletTransactions.cause, cause)))
  if (earlier === undefined) return false
  if (earlier.walletId === payment.walletId && earlier.coinAmount === -payment.coinAmount)
    return true
  throw new Problem(
    'request/idempotency-conflict',
    'This key was already used for another payment. Start again with a new key.',
  )
}

async function book(
  tx: Tx,
  deps: Deps,
  order: OrderRow,
  payment: TokenPayment,
  cause: string,
): Promise<OrderRow> {
  if (order.status === 'canceled')
    throw new Problem(
      'orders/canceled',
      'This order was cancelled. Please choose your edits again.',
    )
  const { items, booked } = await readOrderParts(tx, [order.id])
  // Its edits were changed while the length of the video was unknown; the next POST orders prices
  // them.
  if (order.status === 'open' && items.length === 0)
    throw new Problem(
      'orders/metadata-pending',
      'Your video is still being measured. Please try again in a moment.',
      { retryAfterS: 3 },
    )
  const { remaining } = orderTotals(order.status, items, booked)
  if (order.status === 'paid' || remaining === 0)
    throw new Problem('orders/already-paid', 'This order is already paid.')
  if (payment.coinAmount > remaining) {
    const message = `Only ${remaining} tokens are left to pay.`
    throw new Problem('orders/amount-too-high', message, {
      fields: { 'walletCoinTransaction.coinAmount': message },
    })
  }
  await spend(tx, deps, {
    walletId: payment.walletId,
    coinAmount: payment.coinAmount,
    orderId: order.id,
    cause,
    description: describePayment(items),
  })
  return payment.coinAmount === remaining ? markPaid(tx, deps, order) : order
}

function describePayment(items: readonly { readonly description: string }[]): string {
  const [first] = items
  return first === undefined
    ? 'Order'
    : items.length === 1
      ? first.description
      : `${first.description} and ${items.length - 1} more`
}
