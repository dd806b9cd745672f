import { findRecipe } from '#recipes/presets.ts'

/** Whether a format has previews; false for formats that this app is too old for. */
export function hasPreview(slug: string): boolean {
  return findRecipe(slug)?.preview !== undefined
}
