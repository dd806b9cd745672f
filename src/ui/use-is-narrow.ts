import { useMatches } from './use-matches.ts'

/** Whether the window is as narrow as a phone, where floating parts must be small. */
export function useIsNarrow(): boolean {
  // Below Tailwind's `sm` (40rem): phones upright.
  return useMatches('(width < 40rem)')
}
