import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { excerptsOf, shownExcerpt } from '#src/local/uploads/page/excerpt-rows.ts'

/**
 * The excerpts of an upload of this device, oldest first. Every page has this; what makes excerpts
 * is with the screens that need it.
 */
export function useExcerptsOf(uploadId: string | null): Live<readonly UploadRow[]> {
  return useLive(`excerpts:${uploadId}`, async (db) =>
    uploadId === null ? [] : await excerptsOf(db, uploadId),
  )
}

/** The excerpt of an upload that is spoken of; null where there is none, and until it is known. */
export function useShownExcerpt(uploadId: string | null): UploadRow | null {
  const live = useExcerptsOf(uploadId)
  return live.kind === 'ready' ? shownExcerpt(live.value) : null
}
