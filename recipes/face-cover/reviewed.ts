/**
 * Presets that cover faces. They are made only after their owner has looked at what they cover, and
 * are never sold as automatic: a search misses faces.
 */
const REVIEWED_SLUGS = ['face-blurred-full-scene', 'incognito-full-scene'] as const

/** Whether edits of a preset wait for their owner's review. */
export function isReviewed(slug: string): boolean {
  return REVIEWED_SLUGS.some((reviewed) => reviewed === slug)
}
