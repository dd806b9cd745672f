import { useState } from 'react'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import type { ServerImport } from '#src/local/db/facts.ts'
import { Button } from '#src/ui/Button.tsx'
import { DriveButton } from './DriveButton.tsx'
import { DropboxDialog } from './DropboxDialog.tsx'
import { LinkDialog } from './LinkDialog.tsx'

/**
 * Lets a person say again where the video of an import is, in the way in which it was begun; it
 * then goes on.
 */
export function RenewImport({
  uploadRequestId,
  provider,
}: {
  readonly uploadRequestId: string
  readonly provider: ServerImport['provider']
}) {
  const hosts = useCapabilities().data?.uploads.importHosts ?? []
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const shared = { renews: uploadRequestId, isOpen, onClose: close, onBegun: close }
  if (provider === 'google-drive-picker-single-file')
    return (
      <DriveButton
        label="Choose the file again"
        renews={uploadRequestId}
        onBegun={close}
        size="small"
        className="self-start"
      />
    )
  const isLink = provider !== 'dropbox-chooser-single-file'
  return (
    <>
      <Button size="small" className="self-start" onPress={() => setOpen(true)}>
        {isLink ? 'Paste the link again' : 'Choose the file again'}
      </Button>
      {isLink ? <LinkDialog hosts={hosts} {...shared} /> : <DropboxDialog {...shared} />}
    </>
  )
}
