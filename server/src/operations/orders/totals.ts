import { asc, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import type { components } from '#openapi/schema.gen.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orderLineItems, walletTransactions, type orders } from '#server/db/schema.ts'
import type { TransactionRow } from '#server/operations/ledger/book.ts'
import { parsePricingStrategies, parseSlug } from '#server/operations/presets.ts'
import { viewTransaction } from '#server/operations/ledger/wallets.ts'

export type OrderRow = typeof orders.$inferSelect
export type OrderView = components['schemas']['Order']
type ItemRow = typeof orderLineItems.$inferSelect

/** Sums of an order in whole tokens, none negative. */
export interface OrderTotals {
  readonly total: number
  readonly paid: number
  readonly refunded: number
  readonly remaining: number
}

/**
 * Sums of an order. What remains is total - paid + refunded while it is open; a paid order stays
 * paid when tokens come back for failed tasks, and a cancelled one asks for nothing.
 */
export function orderTotals(
  status: OrderRow['status'],
  items: readonly { coinAmount: number }[],
  booked: readonly { coinAmount: number }[],
): OrderTotals {
  const sum = (amounts: readonly number[]): number =>
    amounts.reduce((total, amount) => total + amount, 0)
  const total = sum(items.map((item) => item.coinAmount))
  const paid = sum(booked.map((row) => Math.max(0, -row.coinAmount)))
  const refunded = sum(booked.map((row) => Math.max(0, row.coinAmount)))
  return {
    total,
    paid,
    refunded,
    remaining: status === 'open' ? Math.max(0, total - paid + refunded) : 0,
  }
}

/** Line items and bookings of orders, by order id. */
export async function readOrderParts(
  tx: Tx | Db,
  orderIds: readonly string[],
): Promise<{ items: readonly ItemRow[]; booked: readonly TransactionRow[] }> {
  if (orderIds.length === 0) return { items: [], booked: [] }
  const items = await tx
    .select()
    .from(orderLineItems)
    .where(inArray(orderLineItems.orderId, [...orderIds]))
    .orderBy(asc(orderLineItems.position))
  const booked = await tx
    .select()
    .from(walletTransactions)
    .where(inArray(walletTransactions.orderId, [...orderIds]))
    .orderBy(asc(walletTransactions.createdAt), asc(walletTransactions.id))
  return { items, booked }
}

/** Orders as the contract shows them, in the order given. */
export async function viewOrders(tx: Tx | Db, rows: readonly OrderRow[]): Promise<OrderView[]> {
  const { items, booked } = await readOrderParts(
    tx,
    rows.map((row) => row.id),
  )
  return rows.map((row) =>
    composeOrder(
      row,
      items.filter((item) => item.orderId === row.id),
      booked.filter((one) => one.orderId === row.id),
    ),
  )
}

function composeOrder(
  row: OrderRow,
  items: readonly ItemRow[],
  booked: readonly TransactionRow[],
): OrderView {
  const { total, paid, refunded, remaining } = orderTotals(row.status, items, booked)
  return {
    _id: row.id,
    mediaJobId: row.mediaJobId,
    status: row.status,
    lineItems: items.map(viewLineItem),
    lineItemsTotalCoinAmount: total,
    paidTotalCoinAmount: paid,
    refundedTotalCoinAmount: refunded,
    remainingPayableCoinAmount: remaining,
    walletCoinTransactions: booked.map(viewTransaction),
    isFullyPaid: row.status === 'paid',
    hasPaidWalletCoinTransactions: paid > 0,
    createdAt: row.createdAt.toISOString(),
  }
}

function viewLineItem(item: ItemRow): OrderView['lineItems'][number] {
  const { quantity, usage, pricingStrategy } = v.parse(frozenSchema, item.pricing)
  const [strategy] = parsePricingStrategies([pricingStrategy])
  return {
    _id: item.id,
    orderedProductVariant: {
      productSlug: item.productSlug,
      description: item.description,
      mediaJobTaskPresetSlug: item.presetSlug === null ? null : parseSlug(item.presetSlug),
    },
    pricing: {
      pricingStrategySlug: strategy!.pricingStrategySlug,
      quantity,
      usage,
      pricingStrategy: strategy!,
    }, // one in, one out
    totalCoinAmount: item.coinAmount,
  }
}

const frozenSchema = v.object({
  quantity: v.number(),
  usage: v.nullable(v.number()),
  pricingStrategy: v.unknown(),
})
