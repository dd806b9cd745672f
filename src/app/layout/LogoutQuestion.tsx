import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

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
    <Dialog
      title={`Log out and discard the ${isOne ? 'upload' : 'uploads'}?`}
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onPress={onLogOut} isBusy={isBusy}>
            Log out
          </Button>
          <Button onPress={onClose}>Stay logged in</Button>
        </>
      }
    >
      <p className="wrap-break-word">{words}</p>
    </Dialog>
  )
}
