import { findRecipe } from '#recipes/presets.ts'
import { sampledRecipe } from '#recipes/sample.ts'

/** Whether a format has previews; false for formats that this app is too old for. */
export function hasPreview(slug: string): boolean {
  return isShownHere(slug) || isSampled(slug)
}

/** Whether a device makes its previews from the file. */
export function isShownHere(slug: string): boolean {
  return findRecipe(slug)?.preview !== undefined
}

/** Whether the server shows it before and after: an edit of the whole video. */
export function isSampled(slug: string): boolean {
  return sampledRecipe(slug) !== null
}
