import { finding } from './source-rules.ts'
import type { Finding } from './source-facts.ts'

/**
 * What each recipe needs to be what its name says, in milliseconds; 0 = any length will do. With
 * less a recipe still works, but makes one piece of everything, or fewer or equal pictures. Every
 * recipe has its line here.
 */
export const MINIMUM_SOURCE_MS: Readonly<Record<string, number>> = {
  'teaser-15s': 15_000,
  'teaser-60s': 60_000,
  // Three GIFs of 3 s and a loop of 4.8 s that do not show the same.
  'social-media-gif-pack': 14_000,
  // Twelve stills, a quarter of a second apart.
  'still-pack': 3_000,
  // One passage; whether its own target is longer than the video, its options form says.
  'tube-cut': 8_000,
  'dynamic-watermark': 0,
  // Its options form says what its places and lengths need.
  'uniform-sampling': 0,
  'voice-mask-full-scene': 0,
}

/** Lengths are measured to about so much, and shown in tenths. */
const SLACK_MS = 100

/**
 * Rule A10 for one format: the video is shorter than it needs. Null when it is long enough, or
 * nothing is known of either. Pure.
 */
export function tooShortFor(
  slug: string,
  formatName: string,
  durationMs: number | null,
): Finding | null {
  const minimumMs = Object.hasOwn(MINIMUM_SOURCE_MS, slug) ? MINIMUM_SOURCE_MS[slug] : undefined
  if (
    minimumMs === undefined ||
    durationMs === null ||
    durationMs <= 0 ||
    durationMs > minimumMs - SLACK_MS
  )
    return null
  return finding('A10', 'warn', { durationMs, format: formatName, minimumMs })
}
