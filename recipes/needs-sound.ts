import { finding } from './source-rules.ts'
import type { Finding } from './source-facts.ts'

/** Whether a recipe has anything to do in a video without sound. Every recipe has its line here. */
export const NEEDS_SOUND: Readonly<Record<string, boolean>> = {
  'teaser-15s': false,
  'teaser-60s': false,
  'social-media-gif-pack': false,
  'still-pack': false,
  'tube-cut': false,
  'dynamic-watermark': false,
  'uniform-sampling': false,
  'voice-mask-full-scene': true,
}

/**
 * Rule B2 for one format: it changes the sound, and the video has none, so it cannot be made. Null
 * when it can, or nothing is known of either. Pure.
 */
export function soundlessFor(
  slug: string,
  formatName: string,
  hasAudio: boolean | null,
): Finding | null {
  return hasAudio === false && Object.hasOwn(NEEDS_SOUND, slug) && NEEDS_SOUND[slug] === true
    ? finding('B2', 'block', { fault: 'none', format: formatName })
    : null
}
