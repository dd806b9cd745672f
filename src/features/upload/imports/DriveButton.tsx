import { useState } from 'react'
import { keepRenewal } from '#src/components/drive/arrival.ts'
import { bestDrive } from './best-drive.ts'
import { googleAddress } from '#src/components/drive/connect-address.ts'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { externalAuths } from '#src/local/nouns/external-auths.ts'
import { Button, type ButtonProps } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { DriveDialog } from './DriveDialog.tsx'

/**
 * The way to a video in Google Drive. Where a drive is connected, it is chosen at once: on Google's
 * own page, or in Google's picker, as the server wants it; else a dialog says what is missing.
 */
export function DriveButton({
  label,
  renews,
  onBegun,
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  readonly label: string
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly onBegun: (uploadRequestId: string) => void
}) {
  const isFramed = useCapabilities().data?.uploads.drivePicker === 'frame'
  const drives = useNounList(externalAuths)
  const [isOpen, setOpen] = useState(false)
  const drive = drives.data === null ? null : bestDrive(drives.data)
  const address = googleAddress({ landing: paths.newUpload, pick: !isFramed })
  const leave = (): void => keepRenewal(sessionStorage, isFramed ? null : renews)
  if (drive?.standing === 'ready' && !isOpen && !isFramed)
    return (
      <LinkButton to={address} isDocument onPress={leave} {...look}>
        {label}
      </LinkButton>
    )
  return (
    <>
      <Button onPress={() => setOpen(true)} {...look}>
        {label}
      </Button>
      <DriveDialog
        drive={drive}
        isFramed={isFramed}
        pull={drives}
        address={address}
        renews={renews}
        isOpen={isOpen}
        onLeave={leave}
        onClose={() => setOpen(false)}
        onBegun={(uploadRequestId) => {
          setOpen(false)
          onBegun(uploadRequestId)
        }}
      />
    </>
  )
}
