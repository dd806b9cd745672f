import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { DiscardQuestion, isDiscardAsked } from './DiscardQuestion.tsx'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

/** The button that discards an unfinished upload of elsewhere; it asks where much has arrived. */
export function DiscardElsewhere({
  uploadRequestId,
  name,
  sizeBytes,
  safeBytes,
}: {
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
  readonly safeBytes: number
}) {
  const discard = useDiscardElsewhere(uploadRequestId, name)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        label={`Discard: ${name}`}
        onPress={isDiscardAsked(safeBytes) ? () => setIsAsking(true) : discard}
      >
        Discard
      </Button>
      <DiscardQuestion
        name={name}
        safeBytes={safeBytes}
        sizeBytes={sizeBytes}
        isOpen={isAsking}
        onDiscard={discard}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

const NOT_SAVED = 'This device could not save the change. Free up some space and try again.'

/**
 * Has the server forget an upload that this device does not hold, after the time to take that back.
 */
function useDiscardElsewhere(uploadRequestId: string, name: string): () => void {
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
