import { useLive } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { mayHandOver } from '#src/local/db/upload-states.ts'
import { closingWords } from '#src/local/uploads/page/closing.ts'

interface ClosingWords {
  /** Null where there is nothing to say. */
  readonly words: string | null
  /** False while this device has not read what it keeps of the file: then they are only likely. */
  readonly isKnown: boolean
}

/** What closing this page does to an upload, in words. */
export function useClosingWords(row: Pick<UploadRow, 'id' | 'state' | 'plan'>): ClosingWords {
  const { bridge } = useUploadsContext()
  const isHandOverOffered = useHandOverOffer(row)
  const live = useLive(`upload-kept:${row.id}`, async (db) => {
    const [copies, handles] = await Promise.all([
      db.blobs.where('uploadId').equals(row.id).count(),
      db.handles.where('uploadId').equals(row.id).count(),
    ])
    return copies > 0 ? 'copy' : handles > 0 ? 'handle' : 'nowhere'
  })
  const kept = live.kind === 'ready' ? live.value : 'copy'
  return {
    words: closingWords({ state: row.state.kind, kept, isHandOverOffered, ...bridge.abilities() }),
    isKnown: live.kind === 'ready',
  }
}

/** Whether this browser can send the rest of an upload now: words and button stand together. */
export function useHandOverOffer(row: Pick<UploadRow, 'state' | 'plan'>): boolean {
  const { bridge } = useUploadsContext()
  return bridge.abilities().hasBackgroundFetch && mayHandOver(row)
}
