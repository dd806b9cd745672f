import { findRecipe } from './presets.ts'
import { finding } from './source-rules.ts'
import type { Finding } from './source-facts.ts'

/**
 * Rule B2 for one format: it changes the sound, and the video has none, so it cannot be made. Null
 * when it can, or nothing is known of either. Pure.
 */
export function soundlessFor(
  slug: string,
  formatName: string,
  hasAudio: boolean | null,
): Finding | null {
  return hasAudio === false && findRecipe(slug)?.needs.sound === true
    ? finding('B2', 'block', { fault: 'none', format: formatName })
    : null
}
