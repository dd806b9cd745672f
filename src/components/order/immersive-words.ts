import type { ImmersiveKind } from '#checks/immersive.ts'
import { findRecipe } from '#recipes/presets.ts'

/**
 * What an edit of a VR180, 360 or 3D video shows instead of it, for a person who is about to order
 * it; null where it stays what it is, and of flat videos.
 */
export function flatWords(slug: string, immersive: ImmersiveKind | null): string | null {
  const recipe = findRecipe(slug)
  if (immersive === null || recipe === undefined) return null
  const { kind, isDouble, isKept } = immersive
  // Only edits that show passages have a timeline.
  if (recipe.timeline === undefined && isKept) return null
  if (kind === 'spatial') return 'Shows one of the two views of this spatial video.'
  return isDouble
    ? `Shows the flat double picture of this ${kind} video, with both eyes.`
    : `Shows the flat, unwrapped picture of this ${kind} video.`
}
