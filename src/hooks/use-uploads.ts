import { useLive } from './use-live.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * All uploads of this device, newest first, without discarded ones and drafts; undefined while they
 * are being read.
 */
export function useUploads(): readonly UploadRow[] | undefined {
  const live = useLive('uploads', async (db) =>
    (await db.uploads.orderBy('createdAtEpochMs').reverse().toArray()).filter(isShown),
  )
  return live.kind === 'ready' ? live.value : undefined
}

/** A draft belongs to the card in which it was chosen. */
function isShown(row: UploadRow): boolean {
  return row.state.kind !== 'discarded' && row.state.kind !== 'draft'
}
