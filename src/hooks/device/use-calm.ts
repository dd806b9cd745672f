import { useSyncExternalStore } from 'react'

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)'
const HOVERS = '(hover: hover)'

/** True when videos must not start on their own: reduced motion or the data saver is on. */
export function useCalm(): boolean {
  // The server does not know the person: nothing moves before the browser has said so.
  return useSyncExternalStore(subscribe, isCalm, () => true)
}

/** True where a mouse or a pen can point at something without pressing it. */
export function useHovers(): boolean {
  return useSyncExternalStore(
    (listener) => subscribeTo(HOVERS, listener),
    () => matchMedia(HOVERS).matches,
    () => false,
  )
}

function subscribe(listener: () => void): () => void {
  return subscribeTo(REDUCED_MOTION, listener)
}

function subscribeTo(media: string, listener: () => void): () => void {
  const query = matchMedia(media)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function isCalm(): boolean {
  return matchMedia(REDUCED_MOTION).matches || savesData()
}

/** Network Information API: Chromium only. */
function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  )
}
