import { useState } from 'react'
import { useDisconnectDrive } from '#src/hooks/use-disconnect-drive.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
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
    <Dialog
      title="Disconnect Google Drive?"
      role="alertdialog"
      width="medium"
      isOpen={isOpen}
      isBlocking={isPending}
      onClose={close}
      footer={
        <>
          <Button variant="secondary" onPress={close} isDisabled={isPending}>
            Keep Connected
          </Button>
          <Button variant="danger" onPress={() => void disconnect()} isDisabled={isPending}>
            Confirm Disconnection
          </Button>
        </>
      }
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
    </Dialog>
  )
}
