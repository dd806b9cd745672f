import { dynamicWatermark } from './dynamic-watermark.ts'
import { socialMediaGifPack } from './social-media-gif-pack.ts'
import { stillPack } from './still-pack.ts'
import { teaser15s, teaser60s } from './teaser.ts'
import { tubeCut } from './tube-cut.ts'
import type { Recipe } from './types.ts'
import { uniformSampling } from './uniform-sampling.ts'
import { voiceMaskFullScene } from './voice-mask-full-scene.ts'

/**
 * The presets that can be made today, by slug. A preset of the catalogue that is not here is not
 * offered.
 */
export const recipes: Readonly<Record<string, Recipe>> = Object.fromEntries(
  [
    teaser15s,
    teaser60s,
    socialMediaGifPack,
    stillPack,
    dynamicWatermark,
    tubeCut,
    uniformSampling,
    voiceMaskFullScene,
  ].map((recipe) => [recipe.slug, recipe]),
)

/** The recipe of a preset, or undefined when it is not built. */
export function findRecipe(slug: string): Recipe | undefined {
  return Object.hasOwn(recipes, slug) ? recipes[slug] : undefined
}
