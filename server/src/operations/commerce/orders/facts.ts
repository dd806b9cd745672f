import { asc, inArray } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { LineItemRow, OrderRow, TransactionRow } from '#server/db/rows.ts'
import { orderLineItems, walletTransactions } from '#server/db/schema.ts'

/** An order with its line items, and what was paid and given back, oldest first. */
export interface OrderFacts {
  readonly order: OrderRow
  readonly items: readonly LineItemRow[]
  readonly booked: readonly TransactionRow[]
}

/** Reads line items and bookings of orders, in the order given. */
export async function readOrders(
  ctx: Pick<ReadCtx, 'db'>,
  { rows }: { readonly rows: readonly OrderRow[] },
): Promise<OrderFacts[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const items = await ctx.db
    .select()
    .from(orderLineItems)
    .where(inArray(orderLineItems.orderId, ids))
    .orderBy(asc(orderLineItems.position))
  const booked = await ctx.db
    .select()
    .from(walletTransactions)
    .where(inArray(walletTransactions.orderId, ids))
    .orderBy(asc(walletTransactions.createdAt), asc(walletTransactions.id))
  return rows.map((order) => ({
    order,
    items: items.filter((item) => item.orderId === order.id),
    booked: booked.filter((one) => one.orderId === order.id),
  }))
}

/** The same for one order. */
export async function readOrder(
  ctx: Pick<ReadCtx, 'db'>,
  { row }: { readonly row: OrderRow },
): Promise<OrderFacts> {
  return onlyRow(await readOrders(ctx, { rows: [row] }))
}
