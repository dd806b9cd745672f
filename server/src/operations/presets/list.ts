import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { components } from '#openapi/schema.gen.ts'
import { catalogue } from '#recipes/presets.ts'
import type { PricingStrategy } from '#recipes/pricing.ts'
import type { Deps } from '#server/deps.ts'
import { presets } from '#server/db/schema.ts'
import { isOffered } from './offered.ts'

type PresetView = components['schemas']['MediaJobTaskPreset']

/** The visible presets in the order of the screen, each with whether this server can make it. */
export async function listPresets(deps: Pick<Deps, 'db' | 'ffmpeg'>): Promise<PresetView[]> {
  const rows = await deps.db
    .select()
    .from(presets)
    .where(eq(presets.isVisible, true))
    .orderBy(asc(presets.position))
  return rows.map((row) => ({
    _id: row.id,
    slug: parseSlug(row.slug),
    name: row.name,
    description: row.description,
    imageUrl: row.imageUrl,
    pricingStrategies: parsePricingStrategies(row.pricingStrategies),
    tab: row.tab,
    badge: row.badge,
    hasOptions: row.hasOptions,
    isOffered: isOffered(row.slug, deps.ffmpeg),
  }))
}

/** The prices stored with a preset; throws on what no seed writes. */
export function parsePricingStrategies(stored: unknown): PricingStrategy[] {
  return v.parse(pricingSchema, stored)
}

/** A slug as the contract lists it; throws on one that no seed writes. */
export function parseSlug(stored: string): PresetView['slug'] {
  return v.parse(slugSchema, stored)
}

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
