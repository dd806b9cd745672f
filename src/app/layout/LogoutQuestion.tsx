import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

export interface LogoutQuestionProps {
  /** Of the uploads that have not arrived yet, newest first. */
  readonly fileNames: readonly string[]
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onLogOut: () => void
  readonly onClose: () => void
}

/** Asked before a log-out that gives uploads up: nothing brings them back. */
export function LogoutQuestion({
  fileNames,
  isOpen,
  isBusy,
  onLogOut,
  onClose,
}: LogoutQuestionProps) {
  const [first] = fileNames
  const isOne = first !== undefined && fileNames.length === 1
  const words = isOne
    ? `${first} is not fully uploaded. If you log out, this upload is discarded and has to start over.`
    : `${fileNames.length} uploads are not finished. If you log out, they are discarded and have to start over.`
  return (
    <QuestionDialog
      title={`Log out and discard the ${isOne ? 'upload' : 'uploads'}?`}
      isOpen={isOpen}
      isPending={isBusy}
      keepWords="Stay logged in"
      actWords="Log out"
      isDanger
      onAct={onLogOut}
      onClose={onClose}
    >
      <p className="wrap-break-word">{words}</p>
    </QuestionDialog>
  )
}
