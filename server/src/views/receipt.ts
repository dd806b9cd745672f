import type { OrderFacts } from '#server/operations/commerce/orders/facts.ts'
import type { ListedPayment } from '#server/operations/commerce/payments/history.ts'
import { TOKEN_PRICE_DOLLARS } from '#spec/numbers.ts'
import { dollars, type Receipt } from './receipt-pdf.ts'

/** The receipt of a payment, as it was made: later refunds do not change it. */
export function viewPaymentReceipt({ row }: Pick<ListedPayment, 'row'>): Receipt {
  const words = row.walletSubscriptionId === null ? 'Tokens' : 'Monthly tokens'
  return {
    number: row.receiptNumber,
    issuedAt: row.paidAt,
    items: [{ words, cents: row.amountCents, coinAmount: row.coinAmount }],
    notes: [`Tax included: ${dollars(row.taxCents)}`, `Payment: ${row.id}`],
  }
}

/**
 * The receipt of an order that tokens have paid; null while it has none. It names neither files nor
 * edits, whose names say what they are for.
 */
export function viewOrderReceipt({ order, items }: OrderFacts): Receipt | null {
  const { receiptNumber, paidAt } = order
  if (receiptNumber === null || paidAt === null) return null
  return {
    number: receiptNumber,
    issuedAt: paidAt,
    items: items.map(({ coinAmount }) => ({
      words: 'Video edit',
      cents: Math.round(coinAmount * TOKEN_PRICE_DOLLARS * 100),
      coinAmount,
    })),
    notes: ['Paid with tokens.', `Order: ${order.id}`],
  }
}
