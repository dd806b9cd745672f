import { formatBytes } from '#src/lib/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

/** What the person wants to delete. */
export interface DeleteQuestion {
  readonly uploadRequestId: string
  /** What the video is called. */
  readonly name: string
  readonly what: 'source' | 'everything'
  /** How much goes; null where this device does not know. */
  readonly sizeBytes: number | null
}

interface DeleteStoredDialogProps {
  /** Null while nothing is asked. */
  readonly question: DeleteQuestion | null
  readonly isPending: boolean
  readonly onDelete: (question: DeleteQuestion) => void
  readonly onClose: () => void
}

/** Says what goes and what stays, before files are deleted. */
export function DeleteStoredDialog({
  question,
  isPending,
  onDelete,
  onClose,
}: DeleteStoredDialogProps) {
  return (
    <Dialog
      title={question?.what === 'source' ? 'Delete the video?' : 'Delete video and edits?'}
      role="alertdialog"
      isOpen={question !== null}
      isBlocking={isPending}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onPress={onClose} isDisabled={isPending}>
            Keep
          </Button>
          <Button
            variant="danger"
            isBusy={isPending}
            onPress={() => {
              if (question !== null) onDelete(question)
            }}
          >
            Delete
          </Button>
        </>
      }
    >
      {question === null ? null : <p>{consequenceWords(question)}</p>}
    </Dialog>
  )
}

function consequenceWords({ name, what, sizeBytes }: DeleteQuestion): string {
  const size = sizeBytes === null ? '' : ` (${formatBytes(sizeBytes)})`
  if (what === 'source')
    return `"${name}"${size} is deleted from the server at once. Finished edits stay. To order other edits of it, you have to upload it again.`
  return `"${name}" and all its edits${size} are deleted from the server at once and cannot be downloaded any more. Files on your devices stay.`
}
