import { findRecipe } from './presets.ts'
import { finding } from './source-rules.ts'
import type { Finding } from './source-facts.ts'

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
