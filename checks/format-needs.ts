import { findRecipe } from '#recipes/presets.ts'
import { finding } from './quick-rules.ts'
import type { Finding } from './facts.ts'

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
  const minimumMs = findRecipe(slug)?.needs.minimumMs
  if (
    minimumMs === undefined ||
    durationMs === null ||
    durationMs <= 0 ||
    durationMs > minimumMs - SLACK_MS
  )
    return null
  return finding('A10', 'warn', { durationMs, format: formatName, minimumMs })
}

/** What is known of the sound of a video; null where it is not. */
export interface KnownSound {
  readonly hasAudio: boolean | null
  /** Whether its channels differ (`hasWideSound` of recipes). */
  readonly hasWideSound: boolean | null
}

/**
 * Rule B2 for one format: it changes the sound, and the video has none (`none`), or voices and
 * music in one channel (`narrow`), so it cannot be made. Null when it can be made, or when the
 * format or the sound is not known. Pure.
 */
export function soundlessFor(
  slug: string,
  formatName: string,
  { hasAudio, hasWideSound }: KnownSound,
): Finding | null {
  const need = findRecipe(slug)?.needs.sound ?? false
  if (need === false) return null
  if (hasAudio === false) return finding('B2', 'block', { fault: 'none', format: formatName })
  return need === 'wide' && hasWideSound === false
    ? finding('B2', 'block', { fault: 'narrow', format: formatName })
    : null
}
