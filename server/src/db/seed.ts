import { notInArray, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { presets } from './schema.ts'
import { catalogue } from '#recipes/presets.ts'

/**
 * Writes the catalogue into its table by slug, so that prices and texts follow the code while ids
 * stay.
 */
export async function seedPresets(
  tx: Pick<Tx, 'insert' | 'update'>,
  newId: () => string,
): Promise<void> {
  const rows = catalogue.map((preset, position) => ({
    id: newId(),
    slug: preset.slug,
    name: preset.name,
    description: preset.description,
    imageUrl: preset.imageUrl,
    tab: preset.tab,
    badge: preset.badge,
    hasOptions: preset.hasOptions,
    pricingStrategies: preset.pricingStrategies,
    position,
    isVisible: true,
  }))
  await tx
    .insert(presets)
    .values(rows)
    .onConflictDoUpdate({
      target: presets.slug,
      set: {
        name: sql`excluded.name`,
        description: sql`excluded.description`,
        imageUrl: sql`excluded.image_url`,
        tab: sql`excluded.tab`,
        badge: sql`excluded.badge`,
        hasOptions: sql`excluded.has_options`,
        pricingStrategies: sql`excluded.pricing_strategies`,
        position: sql`excluded.position`,
        isVisible: sql`excluded.is_visible`,
      },
    })
  // A preset that left the catalogue stays for the orders that name it, but is not shown.
  await tx
    .update(presets)
    .set({ isVisible: false })
    .where(
      notInArray(
        presets.slug,
        catalogue.map(({ slug }) => slug),
      ),
    )
}
