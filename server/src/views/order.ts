import * as v from 'valibot'
import type { components } from '#openapi/schema.gen.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { LineItemRow } from '#server/db/rows.ts'
import type { OrderFacts } from '#server/operations/commerce/orders/facts.ts'
import { orderTotals } from '#server/operations/commerce/orders/totals.ts'
import { parsePricingStrategies, parseSlug } from '#server/operations/core/presets/stored.ts'
import { viewTransaction } from './wallet.ts'

type OrderView = components['schemas']['Order']

/** An order as the contract shows it. */
export function viewOrder({ order, items, booked }: OrderFacts): OrderView {
  const { total, paid, refunded, remaining } = orderTotals(order.status, items, booked)
  return {
    _id: order.id,
    mediaJobId: order.mediaJobId,
    status: order.status,
    lineItems: items.map(viewLineItem),
    lineItemsTotalCoinAmount: total,
    paidTotalCoinAmount: paid,
    refundedTotalCoinAmount: refunded,
    remainingPayableCoinAmount: remaining,
    walletCoinTransactions: booked.map(viewTransaction),
    isFullyPaid: order.status === 'paid',
    hasPaidWalletCoinTransactions: paid > 0,
    createdAt: order.createdAt.toISOString(),
  }
}

function viewLineItem(item: LineItemRow): OrderView['lineItems'][number] {
  const { quantity, usage, pricingStrategy, discountPercent } = v.parse(frozenSchema, item.pricing)
  const strategy = onlyRow(parsePricingStrategies([pricingStrategy]))
  return {
    _id: item.id,
    orderedProductVariant: {
      productSlug: item.productSlug,
      description: item.description,
      mediaJobTaskPresetSlug: item.presetSlug === null ? null : parseSlug(item.presetSlug),
    },
    pricing: {
      pricingStrategySlug: strategy.pricingStrategySlug,
      quantity,
      usage,
      pricingStrategy: strategy,
      discountPercent,
    },
    totalCoinAmount: item.coinAmount,
  }
}

/** The price of a line item as it was frozen at ordering. */
const frozenSchema = v.object({
  quantity: v.number(),
  usage: v.nullable(v.number()),
  pricingStrategy: v.unknown(),
  // Orders of before there was a discount have none.
  discountPercent: v.optional(v.number(), 0),
})
