import type { components } from '#openapi/schema.gen.ts'
import { discounted, priceOf, usageUnits } from '#recipes/pricing.ts'

type PricingStrategy = components['schemas']['PricingStrategy']
type UsageUnit = components['schemas']['UsageUnit']

/**
 * What one edit costs for one video. `rate` while the length is not known and the price depends on
 * it; `usage` is whole started units.
 */
export type EditPrice =
  | { readonly kind: 'fixed'; readonly coinAmount: number }
  | {
      readonly kind: 'usage'
      readonly coinAmount: number
      readonly usage: number
      readonly usageUnit: UsageUnit
    }
  | {
      readonly kind: 'rate'
      readonly coinAmountPerUsageUnit: number
      readonly usageUnit: UsageUnit
    }
  | { readonly kind: 'unknown' }

/**
 * The price by the one rule of the product (recipes/pricing.ts), which the server also uses. Works
 * in page and workers.
 * @param durationMs probed length of the source; null while unknown
 */
export function editPrice(
  strategies: readonly PricingStrategy[],
  durationMs: number | null,
): EditPrice {
  const price = priceOf(strategies, durationMs)
  if (price.ok) {
    const { pricingStrategy, coinAmount, usage } = price.value
    return pricingStrategy.pricingStrategySlug === 'usage-based' && usage !== null
      ? { kind: 'usage', coinAmount, usage, usageUnit: pricingStrategy.usageUnit }
      : { kind: 'fixed', coinAmount }
  }
  const [first] = strategies
  return price.error.code === 'pricing/duration-unknown' &&
    first?.pricingStrategySlug === 'usage-based'
    ? {
        kind: 'rate',
        coinAmountPerUsageUnit: first.coinAmountPerUsageUnit,
        usageUnit: first.usageUnit,
      }
    : { kind: 'unknown' }
}

/** Sum of what is known, and whether that is all of it. */
export interface PriceTotal {
  readonly coinAmount: number
  readonly isComplete: boolean
}

/** Adds prices; an edit priced by a length that is not known yet leaves the total incomplete. */
export function priceTotal(prices: readonly EditPrice[]): PriceTotal {
  return {
    coinAmount: prices.reduce(
      (sum, price) => sum + ('coinAmount' in price ? price.coinAmount : 0),
      0,
    ),
    isComplete: prices.every((price) => 'coinAmount' in price),
  }
}

/**
 * One ordered edit whose length was counted differently by server and device; whole units and
 * tokens.
 */
export interface LengthDifference {
  readonly usageUnit: UsageUnit
  readonly chargedUsage: number
  readonly shownUsage: number
  readonly chargedCoinAmount: number
  readonly shownCoinAmount: number
}

/**
 * Where an order's frozen prices count other units than this device did. Empty when they agree, and
 * while the device has no length.
 * @param durationMs probed length of the source on this device
 */
export function lengthDifferences(
  pricings: readonly components['schemas']['Order']['lineItems'][number]['pricing'][],
  durationMs: number | null,
): readonly LengthDifference[] {
  return pricings.flatMap(({ usage, pricingStrategy, discountPercent = 0 }) => {
    if (
      usage === null ||
      durationMs === null ||
      pricingStrategy.pricingStrategySlug !== 'usage-based'
    )
      return []
    const { usageUnit, coinAmountPerUsageUnit } = pricingStrategy
    const shownUsage = usageUnits(usageUnit, durationMs)
    return shownUsage === null || shownUsage === usage
      ? []
      : [
          {
            usageUnit,
            chargedUsage: usage,
            shownUsage,
            chargedCoinAmount: discounted(usage * coinAmountPerUsageUnit, discountPercent),
            shownCoinAmount: discounted(shownUsage * coinAmountPerUsageUnit, discountPercent),
          },
        ]
  })
}
