import * as v from 'valibot'
import { catalogue } from '#recipes/presets.ts'
import { perEdit, type PricingStrategy } from '#recipes/pricing.ts'
import type { Ctx } from '#server/context.ts'

/** The prices stored with a preset; throws on what no seed writes. */
export function parsePricingStrategies(stored: unknown): PricingStrategy[] {
  return v.parse(pricingSchema, stored)
}

/** What a preset costs on this server: nothing where it takes no payments. */
export function presetPrices(ctx: Pick<Ctx, 'settings'>, stored: unknown): PricingStrategy[] {
  return ctx.settings.takesPayments ? parsePricingStrategies(stored) : [perEdit(0)]
}

/** A slug as the contract lists it; throws on one that no seed writes. */
export function parseSlug(stored: string): PresetSlug {
  return v.parse(slugSchema, stored)
}

type PresetSlug = v.InferOutput<typeof slugSchema>

const coinsSchema = v.pipe(v.number(), v.integer(), v.minValue(0))
const pricingSchema = v.array(
  v.variant('pricingStrategySlug', [
    v.object({ pricingStrategySlug: v.literal('per-unit'), coinAmountPerUnit: coinsSchema }),
    v.object({
      pricingStrategySlug: v.literal('usage-based'),
      coinAmountPerUsageUnit: coinsSchema,
      usageUnit: v.picklist(['source-video-seconds', 'source-video-minutes']),
    }),
  ]),
)
const slugSchema = v.picklist(catalogue.map(({ slug }) => slug))
