import type { components } from '#openapi/schema.gen.ts'
import type { PresetFacts } from '#server/operations/core/presets/list.ts'
import { parseSlug } from '#server/operations/core/presets/stored.ts'

type PresetView = components['schemas']['MediaJobTaskPreset']

/** A preset as the catalogue shows it. */
export function viewPreset({ preset, isOffered, prices }: PresetFacts): PresetView {
  return {
    _id: preset.id,
    slug: parseSlug(preset.slug),
    name: preset.name,
    description: preset.description,
    imageUrl: preset.imageUrl,
    pricingStrategies: [...prices],
    tab: preset.tab,
    badge: preset.badge,
    hasOptions: preset.hasOptions,
    isOffered,
  }
}
