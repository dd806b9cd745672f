import { useLive } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { findLeftDrafts } from '#src/local/uploads/page/drafts.ts'

/**
 * Files that were chosen and checked in a page that has gone, and can still be uploaded; newest
 * first.
 */
export function useLeftDrafts(): readonly UploadRow[] {
  const { bridge } = useUploadsContext()
  const live = useLive('left-drafts', (db) => findLeftDrafts(db, bridge.locks))
  return live.kind === 'ready' ? live.value : []
}
