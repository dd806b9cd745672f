import { useWholeLive } from '#src/hooks/sync/use-live.ts'
import { useMaking } from '#src/hooks/edits/use-made-edits.ts'
import { isSending } from '#src/local/db/upload-states.ts'
import { useUnsavedWork } from '#src/ui/unsaved-work-atoms.ts'

/**
 * Holds off new versions of the app while an upload runs, a payment has no answer yet, or this page
 * makes an edit. Renders nothing.
 */
export function WorkAtStake() {
  const moving = useWholeLive('work-at-stake', async (db) => {
    const uploads = await db.uploads.filter((upload) => isSending(upload.state.kind)).count()
    return uploads + (await db.paymentIntents.count())
  })
  const isMaking = useMaking() !== null
  useUnsavedWork(isMaking || (moving.kind === 'ready' && moving.value > 0))
  return null
}
