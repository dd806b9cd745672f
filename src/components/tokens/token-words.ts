import type { components } from '#openapi/schema.gen.ts'
import type { EditPrice } from '#src/local/edits/price.ts'
import { TOKEN_PRICE_DOLLARS } from '#spec/numbers.ts'

const number = new Intl.NumberFormat('en-US')
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const TOKENS_PER_DOLLAR = Math.round(1 / TOKEN_PRICE_DOLLARS)

/** '1 token', '1,900 tokens'. Whole tokens. */
export function tokens(coinAmount: number): string {
  return `${number.format(coinAmount)} ${Math.abs(coinAmount) === 1 ? 'token' : 'tokens'}`
}

/** What tokens are worth, to the cent: '$0.05', '$2,500.00', '-$3.00'. */
export function dollars(coinAmount: number): string {
  return money.format(coinAmount / TOKENS_PER_DOLLAR)
}

/** Money that was charged or refunded, in its own currency: '$20.00'. */
export function moneyWords(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

/** '12 min', '754 s'. */
export function usageWords(usage: number, usageUnit: components['schemas']['UsageUnit']): string {
  return usageUnit === 'source-video-minutes'
    ? `${number.format(usage)} min`
    : `${number.format(usage)} s`
}

/** '300 tokens', '240 tokens for 12 min', '20 tokens per minute' while the length is not known. */
export function priceWords(price: EditPrice): string {
  switch (price.kind) {
    case 'fixed':
      return tokens(price.coinAmount)
    case 'usage':
      return `${tokens(price.coinAmount)} for ${usageWords(price.usage, price.usageUnit)}`
    case 'rate':
      return `${tokens(price.coinAmountPerUsageUnit)} per ${price.usageUnit === 'source-video-minutes' ? 'minute' : 'second'}`
    case 'unknown':
      return 'Price not known yet'
  }
}
