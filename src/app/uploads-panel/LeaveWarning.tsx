import { useEffect } from 'react'
import { useWholeLive } from '#src/hooks/sync/use-live.ts'
import { readsFile } from '#src/local/db/upload-states.ts'

/**
 * Lets the browser ask before the page is left while it sends a file that is nowhere but in its
 * memory; everywhere else an upload goes on without a question. Renders nothing.
 */
export function LeaveWarning() {
  const atRisk = useWholeLive('uploads-at-risk', async (db) => {
    // The file of an excerpt is that of its video.
    const sending = await db.uploads
      .filter(({ state, purpose }) => readsFile(state.kind) && purpose !== 'excerpt')
      .primaryKeys()
    const [copies, handles] = await Promise.all([
      db.blobs.toCollection().primaryKeys(),
      db.handles.toCollection().primaryKeys(),
    ])
    return sending.some((uploadId) => !copies.includes(uploadId) && !handles.includes(uploadId))
  })
  const isAtRisk = atRisk.kind === 'ready' && atRisk.value
  useEffect(() => {
    if (!isAtRisk) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAtRisk])
  return null
}
