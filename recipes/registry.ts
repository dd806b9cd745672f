import type { Recipe } from './types.ts'

/** The presets that can be made today, by slug. A preset of the catalogue that is not here is not offered. */
export const recipes: Readonly<Record<string, Recipe>> = {}

/** The recipe of a preset, or undefined when it is not built. */
export function findRecipe(slug: string): Recipe | undefined {
  return Object.hasOwn(recipes, slug) ? recipes[slug] : undefined
}
