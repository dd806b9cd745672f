import { formatBytes } from '#src/lib/bytes.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

/** Some minutes of sending on a home's line: 250 MB take more than 3 minutes at 10 Mbit/s. */
const ASKED_FROM_BYTES = 250_000_000

/** Whether a discard throws away so much that the few seconds to undo it are no way back. */
export function isDiscardAsked(safeBytes: number): boolean {
  return safeBytes >= ASKED_FROM_BYTES
}

export interface DiscardQuestionProps {
  readonly name: string
  /** What the server has and would delete. */
  readonly safeBytes: number
  readonly sizeBytes: number
  readonly isOpen: boolean
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** Asked before a discard that throws minutes or hours of sending away. */
export function DiscardQuestion({
  name,
  safeBytes,
  sizeBytes,
  isOpen,
  onDiscard,
  onClose,
}: DiscardQuestionProps) {
  return (
    <QuestionDialog
      title="Discard this upload?"
      isOpen={isOpen}
      keepWords="Keep upload"
      actWords="Discard upload"
      isDanger
      onAct={() => {
        onClose()
        onDiscard()
      }}
      onClose={onClose}
    >
      <p className="wrap-break-word">
        {`${formatBytes(safeBytes)} of the ${formatBytes(sizeBytes)} of ${name} have arrived. They will be deleted, and have to be sent again if you change your mind.`}
      </p>
    </QuestionDialog>
  )
}
