import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DropboxDialog } from '#src/features/upload/imports/DropboxDialog.tsx'
import { NotConfigured } from '#src/components/help/NotConfigured.tsx'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import { Button } from '#src/ui/Button.tsx'

/** The way to a video in Dropbox. Stays in its place, and explains itself, where no key is set. */
export function ChooseDropbox() {
  const { data } = useCapabilities()
  const mayChoose = usePermission(PERMISSIONS.createUploadRequestDropboxChooser)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (data === null || !mayChoose) return null
  const { providers, importHosts } = data.uploads
  if (!providers.includes('dropbox-chooser-single-file'))
    return (
      <NotConfigured
        label="Dropbox"
        cloud="Dropbox"
        instead="Upload from this device."
        help="links"
      >
        You can upload the video from this device
        {importHosts?.includes('dropbox.com') === true
          ? ', or paste a share link of Dropbox. '
          : '. '}
        Only the operator of this server can offer the choice in Dropbox.
      </NotConfigured>
    )
  return (
    <>
      <Button variant="secondary" onPress={() => setOpen(true)}>
        Dropbox
      </Button>
      <DropboxDialog
        renews={null}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onBegun={(id) => void navigate(paths.newMediaJob(id))}
      />
    </>
  )
}
