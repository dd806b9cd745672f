import { err, ok, type Result } from './result.ts'

/** A price for one result, whatever the source is. */
interface PerUnitPricing {
  readonly pricingStrategySlug: 'per-unit'
  readonly coinAmountPerUnit: number
}

/** A price for each started unit of the source's length. */
export interface UsagePricing {
  readonly pricingStrategySlug: 'usage-based'
  readonly coinAmountPerUsageUnit: number
  readonly usageUnit: 'source-video-seconds' | 'source-video-minutes'
}

/** How a preset is priced; amounts are whole tokens. */
export type PricingStrategy = PerUnitPricing | UsagePricing

/** A fixed number of tokens for one edit, however long the source is. */
export function perEdit(coinAmountPerUnit: number): PricingStrategy {
  return { pricingStrategySlug: 'per-unit', coinAmountPerUnit }
}

/** A number of tokens for each started minute of the source. */
export function perMinute(coinAmountPerUsageUnit: number): PricingStrategy {
  return {
    pricingStrategySlug: 'usage-based',
    coinAmountPerUsageUnit,
    usageUnit: 'source-video-minutes',
  }
}

/** A number of tokens for each started second of the source. */
export function perSecond(coinAmountPerUsageUnit: number): PricingStrategy {
  return {
    pricingStrategySlug: 'usage-based',
    coinAmountPerUsageUnit,
    usageUnit: 'source-video-seconds',
  }
}

/** One priced preset; `usage` is null for a fixed price. `coinAmount` is whole tokens. */
export interface Price {
  readonly pricingStrategy: PricingStrategy
  readonly quantity: number
  readonly usage: number | null
  readonly coinAmount: number
}

/**
 * Why there is no price: the source's length is not known yet (ask again later), or the numbers are
 * not usable (a bug in data).
 */
export type PricingProblem =
  | { readonly code: 'pricing/duration-unknown' }
  | { readonly code: 'pricing/out-of-bounds' }

/**
 * The longest source that is priced: 7 days. A probe that says more is broken, and the amount must
 * not follow it.
 */
export const MAX_PRICED_DURATION_MS = 7 * 24 * 60 * 60 * 1000

/**
 * A video cut at "exactly" a minute keeps the picture that is shown there, so it is up to one
 * picture longer (24 a second: 41.7 ms), and containers round times; no creator should pay a second
 * minute for that. Sound that sticks out is no part of the length.
 */
const USAGE_EPSILON_MS = 50

/**
 * Price of one task. The first strategy that can be priced counts, so a list may offer a fallback.
 * @param durationMs the probed length of the source, or null while it is unknown (only usage-based
 * prices need it)
 */
export function priceOf(
  strategies: readonly PricingStrategy[],
  durationMs: number | null,
): Result<Price, PricingProblem> {
  const [first] = strategies
  const fitting = strategies.find(
    (strategy) => strategy.pricingStrategySlug === 'per-unit' || durationMs !== null,
  )
  if (first === undefined) return err({ code: 'pricing/out-of-bounds' })
  if (fitting === undefined) return err({ code: 'pricing/duration-unknown' })
  return fitting.pricingStrategySlug === 'per-unit'
    ? bounded(fitting, null, fitting.coinAmountPerUnit)
    : usagePrice(fitting, durationMs)
}

/**
 * Started units of a length, at least 1: the one rounding rule of the product, for server and page
 * alike. A length that is not a positive finite number, or beyond MAX_PRICED_DURATION_MS, gives
 * null.
 */
export function usageUnits(
  usageUnit: UsagePricing['usageUnit'],
  durationMs: number,
): number | null {
  if (!Number.isFinite(durationMs) || durationMs <= 0 || durationMs > MAX_PRICED_DURATION_MS)
    return null
  const unitMs = usageUnit === 'source-video-seconds' ? 1000 : 60_000
  return Math.max(1, Math.ceil((durationMs - USAGE_EPSILON_MS) / unitMs))
}

/** For this many days after its delivery an edit can be made again at a lower price. */
export const REDO_DAYS = 7
/** The discount on an edit that is made again. */
export const REDO_DISCOUNT_PERCENT = 50

/** What is left of an amount after a discount, rounded up to a whole token. */
export function discounted(coinAmount: number, discountPercent: number): number {
  return Math.ceil((coinAmount * (100 - discountPercent)) / 100)
}

function usagePrice(
  strategy: UsagePricing,
  durationMs: number | null,
): Result<Price, PricingProblem> {
  if (durationMs === null) return err({ code: 'pricing/duration-unknown' })
  const usage = usageUnits(strategy.usageUnit, durationMs)
  return usage === null
    ? err({ code: 'pricing/out-of-bounds' })
    : bounded(strategy, usage, usage * strategy.coinAmountPerUsageUnit)
}

function bounded(
  pricingStrategy: PricingStrategy,
  usage: number | null,
  coinAmount: number,
): Result<Price, PricingProblem> {
  return Number.isSafeInteger(coinAmount) && coinAmount >= 0
    ? ok({ pricingStrategy, quantity: 1, usage, coinAmount })
    : err({ code: 'pricing/out-of-bounds' })
}
