import { useState } from 'react'
import { useDisconnectDrive } from './use-disconnect-drive.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** Says what disconnecting a drive means, and asks. */
export function DisconnectDialog({
  externalAuthId,
  isOpen,
  onClose,
  onDisconnected,
}: {
  readonly externalAuthId: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDisconnected: () => void
}) {
  const toasts = useToasts()
  const { mutateAsync, isPending } = useDisconnectDrive()
  const notYet = useNotYet('DELETE /v1/external-auths/{id}')
  const [hasFailed, setFailed] = useState(false)
  const close = () => {
    setFailed(false)
    onClose()
  }
  const disconnect = async () => {
    setFailed(false)
    const done = await mutateAsync(externalAuthId)
    if (!done.ok) return setFailed(true)
    toasts.show('success', 'External integration disconnected successfully')
    close()
    onDisconnected()
  }
  return (
    <QuestionDialog
      title="Disconnect Google Drive?"
      width="medium"
      isOpen={isOpen}
      isPending={isPending}
      notYet={notYet}
      keepWords="Keep Connected"
      actWords="Confirm Disconnection"
      isDanger
      onAct={() => void disconnect()}
      onClose={close}
    >
      <ul className="list-disc space-y-1 pl-5">
        <li>This server loses its access to your drive, and tells Google so.</li>
        <li>Imports and exports that are under way are cancelled.</li>
        <li>Videos that have arrived stay. You can connect the drive again at any time.</li>
      </ul>
      {hasFailed ? (
        <Notice kind="error" isLive className="mt-4">
          Failed to disconnect integration. Please try again.
        </Notice>
      ) : null}
    </QuestionDialog>
  )
}
