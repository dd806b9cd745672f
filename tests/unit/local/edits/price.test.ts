import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceWords } from '#src/components/tokens/token-words.ts'
import { editPrice, lengthDifferences, priceTotal } from '#src/local/edits/price.ts'
import { catalogue } from '#recipes/presets.ts'
import { priceOf } from '#recipes/pricing.ts'

const strategies = catalogue.map((preset) => [...preset.pricingStrategies])

describe('the price that is shown', () => {
  it('FMT-06 equals the formula of the server for every preset and length', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...strategies),
        fc.integer({ min: 1, max: 20 * 3_600_000 }),
        (strategy, durationMs) => {
          const shown = editPrice(strategy, durationMs)
          const charged = priceOf(strategy, durationMs)
          expect(charged.ok && 'coinAmount' in shown ? shown.coinAmount : null).toBe(
            charged.ok ? charged.value.coinAmount : undefined,
          )
        },
      ),
    )
  })

  it('FMT-06 says the exact amount, with the units it is for', () => {
    const perMinute = [
      {
        pricingStrategySlug: 'usage-based' as const,
        coinAmountPerUsageUnit: 20,
        usageUnit: 'source-video-minutes' as const,
      },
    ]
    expect(
      priceWords(editPrice([{ pricingStrategySlug: 'per-unit', coinAmountPerUnit: 300 }], null)),
    ).toBe('300 tokens')
    expect(priceWords(editPrice(perMinute, 11.5 * 60_000))).toBe('240 tokens for 12 min')
    expect(priceWords(editPrice(perMinute, null))).toBe('20 tokens per minute')
  })

  it('FMT-06 tells where an order counts other units than this device did, and nothing else', () => {
    const pricingStrategy = {
      pricingStrategySlug: 'usage-based' as const,
      coinAmountPerUsageUnit: 20,
      usageUnit: 'source-video-minutes' as const,
    }
    const fixed = {
      pricingStrategySlug: 'per-unit' as const,
      quantity: 1,
      usage: null,
      pricingStrategy: { pricingStrategySlug: 'per-unit' as const, coinAmountPerUnit: 300 },
    }
    const pricings = [
      fixed,
      { pricingStrategySlug: 'usage-based' as const, quantity: 1, usage: 3, pricingStrategy },
    ]
    expect(lengthDifferences(pricings, 3 * 60_000 + 19)).toEqual([])
    expect(lengthDifferences(pricings, null)).toEqual([])
    expect(lengthDifferences(pricings, 2 * 60_000)).toEqual([
      {
        usageUnit: 'source-video-minutes',
        chargedUsage: 3,
        shownUsage: 2,
        chargedCoinAmount: 60,
        shownCoinAmount: 40,
      },
    ])
    const halved = pricings.map((pricing) => ({ ...pricing, discountPercent: 50 }))
    expect(lengthDifferences(halved, 2 * 60_000)).toMatchObject([
      { chargedCoinAmount: 30, shownCoinAmount: 20 },
    ])
  })

  it('leaves a total incomplete while a length is not known', () => {
    const prices = [
      editPrice([{ pricingStrategySlug: 'per-unit', coinAmountPerUnit: 300 }], null),
      editPrice(
        [
          {
            pricingStrategySlug: 'usage-based',
            coinAmountPerUsageUnit: 1,
            usageUnit: 'source-video-seconds',
          },
        ],
        null,
      ),
    ]
    expect(priceTotal(prices)).toEqual({ coinAmount: 300, isComplete: false })
    expect(priceTotal(prices.slice(0, 1))).toEqual({ coinAmount: 300, isComplete: true })
  })
})
