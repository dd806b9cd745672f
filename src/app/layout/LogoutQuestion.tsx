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
    ? `${first} is not uploaded yet. Logging out takes it off this device, and what has arrived is given up: it has to begin again.`
    : `${fileNames.length} uploads are not finished. Logging out takes them off this device, and what has arrived is given up: they have to begin again.`
  return (
    <Dialog
      title={`Log out and give up the ${isOne ? 'upload' : 'uploads'}?`}
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
