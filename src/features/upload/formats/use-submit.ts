import { useState } from 'react'
import { useAttesting } from '#src/features/upload/order/Attestation.tsx'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { redoSelectionKey } from '#src/local/edits/redo.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

export interface SubmitOptions {
  /** Null where another device has the video. */
  readonly uploadId: string | null
  readonly uploadRequestId: string
  /** The delivered edit that is made again; left out for all other orders. */
  readonly redoOfTaskId?: string
  readonly onSubmitted: (submissionId: string) => void
}

/**
 * Puts the order into the outbox of this device and reports its id. `attestation` is the box that
 * the first order of a video needs, or null; without its tick nothing is submitted.
 */
export function useSubmit({ uploadId, uploadRequestId, redoOfTaskId, onSubmitted }: SubmitOptions) {
  const outbox = useOutboxActions()
  const toasts = useToasts()
  const attesting = useAttesting(uploadRequestId)
  const [isSending, setIsSending] = useState(false)
  const submit = async (requests: readonly TaskRequest[]) => {
    const confirmed = attesting.confirm()
    if (outbox === null || confirmed === null) return
    setIsSending(true)
    try {
      onSubmitted(
        await outbox.submit({
          uploadId,
          uploadRequestId,
          requests,
          attestedVersion: confirmed.version,
          redoOfTaskId: redoOfTaskId ?? null,
          selectionKey:
            redoOfTaskId === undefined ? uploadRequestId : redoSelectionKey(redoOfTaskId),
        }),
      )
    } catch {
      // The device's storage refused (full, or being wiped); the choice is still on the screen.
      toasts.show(
        'error',
        'This device could not save your order, so nothing was sent. Free up some space and submit again.',
      )
      setIsSending(false)
    }
  }
  return { submit, isSending, attestation: attesting.box }
}
