import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from '#recipes/presets.ts'
import { discounted, MAX_PRICED_DURATION_MS, priceOf, usageUnits } from '#recipes/pricing.ts'

describe('prices', () => {
  it('FMT-06 a per-unit price ignores the length, also while it is unknown', () => {
    const strategies = [{ pricingStrategySlug: 'per-unit', coinAmountPerUnit: 300 }] as const
    for (const durationMs of [null, 5, 10_000_000]) {
      expect(priceOf(strategies, durationMs)).toMatchObject({
        ok: true,
        value: { quantity: 1, usage: null, coinAmount: 300 },
      })
    }
  })

  it.each([
    [1, 1],
    [59_999, 1],
    [60_000, 1],
    [60_050, 1],
    [60_051, 2],
    [120_000, 2],
    [90_000, 2],
  ])('FMT-06 TRU-01 %i ms are %i started minutes', (durationMs, minutes) => {
    expect(usageUnits('source-video-minutes', durationMs)).toBe(minutes)
    const strategies = [
      {
        pricingStrategySlug: 'usage-based',
        coinAmountPerUsageUnit: 20,
        usageUnit: 'source-video-minutes',
      },
    ] as const
    expect(priceOf(strategies, durationMs)).toMatchObject({
      ok: true,
      value: { usage: minutes, coinAmount: minutes * 20 },
    })
  })

  it('FMT-06 a usage-based price is unknown until the length is known', () => {
    const strategies = [
      {
        pricingStrategySlug: 'usage-based',
        coinAmountPerUsageUnit: 1,
        usageUnit: 'source-video-seconds',
      },
    ] as const
    expect(priceOf(strategies, null)).toEqual({
      ok: false,
      error: { code: 'pricing/duration-unknown' },
    })
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, MAX_PRICED_DURATION_MS + 1])(
    'FMT-06 %d ms are refused',
    (durationMs) => {
      const strategies = [
        {
          pricingStrategySlug: 'usage-based',
          coinAmountPerUsageUnit: 1,
          usageUnit: 'source-video-seconds',
        },
      ] as const
      expect(priceOf(strategies, durationMs)).toEqual({
        ok: false,
        error: { code: 'pricing/out-of-bounds' },
      })
    },
  )

  it('FMT-06 every preset has a whole, positive price that never falls when the source grows', () => {
    const durations = fc.integer({ min: 1, max: MAX_PRICED_DURATION_MS })
    fc.assert(
      fc.property(fc.constantFrom(...catalogue), durations, durations, (preset, a, b) => {
        const [short, long] = [Math.min(a, b), Math.max(a, b)].map((ms) =>
          priceOf(preset.pricingStrategies, ms),
        )
        if (!short?.ok || !long?.ok) throw new Error(`${preset.slug} has no price`)
        expect(Number.isInteger(short.value.coinAmount) && short.value.coinAmount >= 1).toBe(true)
        expect(long.value.coinAmount).toBeGreaterThanOrEqual(short.value.coinAmount)
      }),
    )
  })

  it.each([
    [300, 150],
    [75, 38],
    [1, 1],
    [0, 0],
    [2_000_000_001, 1_000_000_001],
  ])('REC-24 half of %i tokens is %i', (coinAmount, half) => {
    expect(discounted(coinAmount, 50)).toBe(half)
    expect(discounted(coinAmount, 0)).toBe(coinAmount)
  })
})
