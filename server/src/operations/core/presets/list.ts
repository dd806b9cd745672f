import { setImmediate } from 'node:timers/promises'
import { asc, eq } from 'drizzle-orm'
import type { PricingStrategy } from '#recipes/pricing.ts'
import type { Ctx } from '#server/context.ts'
import type { PresetRow } from '#server/db/rows.ts'
import { presets } from '#server/db/schema.ts'
import { readMeans } from '#server/operations/core/workers.ts'
import { isOffered } from './offered.ts'
import { presetPrices } from './stored.ts'

/** A preset of the catalogue, and whether this server can make it. */
export interface PresetFacts {
  readonly preset: PresetRow
  readonly isOffered: boolean
  readonly prices: readonly PricingStrategy[]
}

/** The visible presets in the order of the screen. */
export async function listPresets(
  ctx: Pick<Ctx, 'db' | 'faces' | 'ffmpeg' | 'settings'>,
): Promise<PresetFacts[]> {
  const rows = await ctx.db
    .select()
    .from(presets)
    .where(eq(presets.isVisible, true))
    .orderBy(asc(presets.position))
  const means = await readMeans(ctx)
  const facts: PresetFacts[] = []
  for (const preset of rows) {
    facts.push({
      preset,
      isOffered: isOffered(preset.slug, means),
      prices: presetPrices(ctx, preset.pricingStrategies),
    })
    // The first time each of them is planned, which takes 0.08 s of a processor together.
    await setImmediate()
  }
  return facts
}
