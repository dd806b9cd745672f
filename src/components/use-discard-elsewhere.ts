import { useOutboxActions } from '#src/hooks/use-outbox.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

const NOT_SAVED = 'This device could not save the change. Free up some space and try again.'

/**
 * Has the server forget an upload that this device does not hold, after the time to take that back.
 */
export function useDiscardElsewhere(uploadRequestId: string, name: string): () => void {
  const outbox = useOutboxActions()
  const toasts = useToasts()
  const run = async () => {
    const id = await outbox?.abortUpload(uploadRequestId)
    if (id === undefined) return
    const undo = () => void outbox?.discard(id)
    toasts.show('default', `${name} was discarded.`, { label: 'Undo', onPress: undo })
  }
  return () => void run().catch(() => toasts.show('error', NOT_SAVED))
}
