import { useState } from 'react'
import { keepRenewal } from '#src/components/drive/arrival.ts'
import { bestDrive } from '#src/components/drive/best-drive.ts'
import { googleAddress } from '#src/components/drive/connect-address.ts'
import { paths } from '#src/config/paths.ts'
import { useNounList } from '#src/hooks/use-noun.ts'
import { externalAuths } from '#src/local/nouns/external-auths.ts'
import { Button, type ButtonProps } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { DriveDialog } from './DriveDialog.tsx'

/**
 * The way to a video in Google Drive, which is chosen on Google's own page: at once where a drive
 * is connected, else after a dialog that says what is missing.
 */
export function DriveButton({
  label,
  renews,
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  readonly label: string
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
}) {
  const drives = useNounList(externalAuths)
  const [isOpen, setOpen] = useState(false)
  const standing = drives.data === null ? null : bestDrive(drives.data).standing
  const address = googleAddress({ landing: paths.newUpload, pick: true })
  const leave = (): void => keepRenewal(sessionStorage, renews)
  if (standing === 'ready' && !isOpen)
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
        standing={standing}
        pull={drives}
        address={address}
        isOpen={isOpen}
        onLeave={leave}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
