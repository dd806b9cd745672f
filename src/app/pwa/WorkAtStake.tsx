import { useLive } from '#src/hooks/use-live.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import { useUnsavedWork } from '#src/ui/unsaved-work-atoms.ts'

/** States in which bytes move right now; a reload would send the parts in flight again. */
const MOVING: ReadonlySet<UploadState['kind']> = new Set(['preparing', 'uploading', 'finalising'])

/**
 * Holds off new versions of the app while an upload runs or a payment has no answer yet. Renders
 * nothing.
 */
export function WorkAtStake() {
  const moving = useLive('work-at-stake', async (db) => {
    const uploads = await db.uploads.filter((upload) => MOVING.has(upload.state.kind)).count()
    return uploads + (await db.paymentIntents.count())
  })
  useUnsavedWork(moving.kind === 'ready' && moving.value > 0)
  return null
}
