/** A host that brings nothing, or takes nothing, for this long is given up. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60 * 1000
const LONGEST_WAIT_S = 600
const LONGEST_ASKED_WAIT_S = 3600

/**
 * For how many seconds a host that did not do its part is left alone: longer each time in a row,
 * or as long as it asks for.
 */
export function restSeconds(attempts: number, askedS: number | null = null): number {
  // Half of it by chance, so that what waits for one host does not come back together.
  const usualS = Math.min(LONGEST_WAIT_S, 2 ** (attempts + 1)) * (0.5 + Math.random() / 2)
  return Math.ceil(Math.min(LONGEST_ASKED_WAIT_S, Math.max(usualS, askedS ?? 0)))
}
