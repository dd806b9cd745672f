import { formatBytes } from '#src/lib/bytes.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

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
  const notYet = useNotYet(
    question?.what === 'source' ? 'DELETE /v1/storage/{id}/source' : 'DELETE /v1/storage/{id}',
  )
  return (
    <QuestionDialog
      title={question?.what === 'source' ? 'Delete the video?' : 'Delete video and edits?'}
      isOpen={question !== null}
      isPending={isPending}
      notYet={notYet}
      keepWords="Keep"
      actWords="Delete"
      isDanger
      onAct={() => {
        if (question !== null) onDelete(question)
      }}
      onClose={onClose}
    >
      {question === null ? null : <p>{consequenceWords(question)}</p>}
    </QuestionDialog>
  )
}

function consequenceWords({ name, what, sizeBytes }: DeleteQuestion): string {
  const size = sizeBytes === null ? '' : ` (${formatBytes(sizeBytes)})`
  if (what === 'source')
    return `"${name}"${size} is deleted from the server at once. Finished edits stay. To order other edits of it, you have to upload it again.`
  return `"${name}" and all its edits${size} are deleted from the server at once and cannot be downloaded any more. Files on your devices stay.`
}
