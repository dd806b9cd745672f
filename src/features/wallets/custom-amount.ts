import { WHOLE } from '#src/lib/typed-number.ts'
import { TOP_UP_DEFAULT_TOKENS, TOP_UP_MAX_TOKENS, TOP_UP_MIN_TOKENS } from '#spec/numbers.ts'

/** The amounts that one press chooses, cheapest first. */
export const QUICK_AMOUNTS = [
  TOP_UP_MIN_TOKENS,
  5000,
  10_000,
  20_000,
  50_000,
  TOP_UP_MAX_TOKENS,
] as const

/** What was typed into the amount box. */
export type TypedAmount =
  | { readonly kind: 'valid'; readonly coinAmount: number }
  | { readonly kind: 'invalid'; readonly message: string }

/** Reads a typed amount, also '5,000' and '5.000 tokens' (WAL-07, TYP-01). */
export function readTypedAmount(text: string): TypedAmount {
  const coinAmount = WHOLE.read(text.replace(/\s*tokens?\s*$/i, ''))
  if (coinAmount === null || coinAmount < 0)
    return {
      kind: 'invalid',
      message: 'Please enter whole tokens, without decimals, for example 2,500',
    }
  // Also an empty box, which is not a number.
  if (!(coinAmount >= TOP_UP_MIN_TOKENS))
    return {
      kind: 'invalid',
      message: `Minimum ${TOP_UP_MIN_TOKENS.toLocaleString('en-US')} tokens required`,
    }
  if (coinAmount > TOP_UP_MAX_TOKENS)
    return {
      kind: 'invalid',
      message: `Maximum ${TOP_UP_MAX_TOKENS.toLocaleString('en-US')} tokens allowed`,
    }
  return { kind: 'valid', coinAmount }
}

/**
 * What the amount box starts with: the cheapest quick option that covers what an order lacks, else
 * the default (docs/product-decisions.md#purchase-amounts).
 * @param shortfall whole tokens, or null when no order lacks any
 */
export function startingAmount(shortfall: number | null): number {
  if (shortfall === null) return TOP_UP_DEFAULT_TOKENS
  return QUICK_AMOUNTS.find((amount) => amount >= shortfall) ?? TOP_UP_MAX_TOKENS
}
