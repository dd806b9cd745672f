import { useEffect } from 'react'
import { serviceWorkerControls } from '#src/bridge/service-worker-bridge.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'

/** The screen itself comes first: its own files, pictures and calls are done by then. */
const AFTER_MS = 3_000

/**
 * Fetches the second reader of videos (7 MB) for later, so that files which the browser cannot read
 * are checked offline as well, also when there was none before. Only while `isCalm`, that is when
 * no work is waited for, and not where the person asked to save data.
 */
export function useKeepEngine(isCalm: boolean): void {
  const { media } = useUploadsContext()
  useEffect(() => {
    if (!isCalm || savesData()) return undefined
    const left = new AbortController()
    const timer = setTimeout(() => {
      // What is fetched before the service worker answers is not kept.
      void serviceWorkerControls().then(() =>
        left.signal.aborted ? undefined : media.keepEngine(),
      )
    }, AFTER_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [isCalm, media])
}

/**
 * Chromium only (Network Information API, read on 21 November 2026); elsewhere people cannot say
 * so.
 */
function savesData(): boolean {
  if (!('connection' in navigator)) return false
  const { connection } = navigator
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  )
}
