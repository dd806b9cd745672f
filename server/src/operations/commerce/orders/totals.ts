import type { OrderRow } from '#server/db/rows.ts'

/** Sums of an order in whole tokens; none is negative. */
interface OrderTotals {
  readonly total: number
  readonly paid: number
  readonly refunded: number
  readonly remaining: number
}

/**
 * Sums of an order. What remains is total - paid + refunded while it is open. A paid order stays
 * paid when tokens come back for failed tasks, and a cancelled one asks for nothing.
 * @param booked amounts as the ledger has them: payments negative, refunds positive
 */
export function orderTotals(
  status: OrderRow['status'],
  items: readonly { readonly coinAmount: number }[],
  booked: readonly { readonly coinAmount: number }[],
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
