import { useSyncExternalStore } from 'react'

/** Below Tailwind's `sm` (40rem): phones upright. */
const NARROW = '(width < 40rem)'

/** Whether the window is as narrow as a phone, where floating parts must be small. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
