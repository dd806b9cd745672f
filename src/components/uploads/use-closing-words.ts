import { useLive } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { closingWords } from '#src/local/uploads/page/closing.ts'

/**
 * What closing this page does to an upload, in words; null while unknown, and where there is
 * nothing to say.
 */
export function useClosingWords(row: Pick<UploadRow, 'id' | 'state'>): string | null {
  const { bridge } = useUploadsContext()
  const live = useLive(`upload-kept:${row.id}`, async (db) => {
    const [copies, handles] = await Promise.all([
      db.blobs.where('uploadId').equals(row.id).count(),
      db.handles.where('uploadId').equals(row.id).count(),
    ])
    return copies > 0 ? 'copy' : handles > 0 ? 'handle' : 'nowhere'
  })
  return live.kind === 'ready'
    ? closingWords({ state: row.state.kind, kept: live.value, ...bridge.abilities() })
    : null
}
