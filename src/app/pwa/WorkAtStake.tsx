import { useLive } from '#src/hooks/use-live.ts'
import { isSending } from '#src/local/db/upload-states.ts'
import { useUnsavedWork } from '#src/ui/unsaved-work-atoms.ts'

/**
 * Holds off new versions of the app while an upload runs or a payment has no answer yet. Renders
 * nothing.
 */
export function WorkAtStake() {
  const moving = useLive('work-at-stake', async (db) => {
    const uploads = await db.uploads.filter((upload) => isSending(upload.state.kind)).count()
    return uploads + (await db.paymentIntents.count())
  })
  useUnsavedWork(moving.kind === 'ready' && moving.value > 0)
  return null
}
