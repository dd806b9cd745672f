import { useState } from 'react'
import { useNavigate } from 'react-router'
import { HelpLink } from '#src/components/HelpLink.tsx'
import { DropboxDialog } from '#src/components/imports/DropboxDialog.tsx'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { usePermission } from '#src/hooks/use-session.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

const NOT_CONFIGURED = 'Not configured on this server'

/** The way to a video in Dropbox. Stays in its place, and explains itself, where no key is set. */
export function ChooseDropbox() {
  const { data } = useCapabilities()
  const mayChoose = usePermission(PERMISSIONS.createUploadRequestDropboxChooser)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (data === null || !mayChoose) return null
  const isOffered = data.uploads.providers.includes('dropbox-chooser-single-file')
  const close = (): void => setOpen(false)
  return (
    <span className="inline-flex flex-col items-center gap-1">
      <Button variant="secondary" onPress={() => setOpen(true)}>
        Dropbox
      </Button>
      {isOffered ? (
        <DropboxDialog
          renews={null}
          isOpen={isOpen}
          onClose={close}
          onBegun={(id) => void navigate(paths.newMediaJob(id))}
        />
      ) : (
        <>
          <span className="text-sm text-ink-muted">{NOT_CONFIGURED}</span>
          <Dialog title={NOT_CONFIGURED} isOpen={isOpen} onClose={close}>
            <p>
              Choosing from Dropbox needs an app key of Dropbox, which this server does not have.
              You can upload the video from this device.
              {data.uploads.importHosts?.includes('dropbox.com') === true
                ? ' A share link of Dropbox can be pasted instead.'
                : null}
            </p>
            <HelpLink slug="links" />
          </Dialog>
        </>
      )}
    </span>
  )
}
