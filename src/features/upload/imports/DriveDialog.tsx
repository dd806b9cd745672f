import type { ReactNode } from 'react'
import type { BestDrive, DriveStanding } from './best-drive.ts'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { DrivePicker } from './DrivePicker.tsx'

export interface DriveDialogProps {
  /** Null while it is not known. */
  readonly drive: BestDrive | null
  /** Videos are chosen in Google's picker, in this dialog. */
  readonly isFramed: boolean
  readonly pull: Shown<unknown>
  /** Where the person goes on at Google. */
  readonly address: string
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly isOpen: boolean
  readonly onLeave: () => void
  readonly onClose: () => void
  readonly onBegun: (uploadRequestId: string) => void
}

/** Has a video chosen in Google's picker, or says what is missing before that, and leads there. */
export function DriveDialog(props: DriveDialogProps) {
  const { drive, isFramed, pull, address, renews, isOpen, onLeave, onClose, onBegun } = props
  const standing = drive?.standing ?? null
  const picked = isFramed && standing === 'ready' ? (drive?.auth ?? null) : null
  return (
    <Dialog title="Google Drive" isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-5 pt-1">
        {picked === null || !isOpen ? (
          <Standing standing={standing} pull={pull} />
        ) : (
          <DrivePicker
            externalAuthId={picked._id}
            renews={renews}
            onClose={onClose}
            onBegun={onBegun}
          />
        )}
        <HelpLink slug="drive" />
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" onPress={onClose}>
            Cancel
          </Button>
          {standing === null || picked !== null ? null : (
            <LinkButton to={address} isDocument onPress={onLeave}>
              {LEADS[standing]}
            </LinkButton>
          )}
        </div>
      </div>
    </Dialog>
  )
}

const LEADS: Readonly<Record<DriveStanding, string>> = {
  none: 'Connect Google Drive',
  limited: 'Reauthorize',
  expired: 'Reconnect',
  ready: 'Choose a video',
}

function Standing({
  standing,
  pull,
}: {
  readonly standing: DriveStanding | null
  readonly pull: Shown<unknown>
}): ReactNode {
  switch (standing) {
    case null:
      return pull.status === 'failed' ? (
        <PullFailure pull={pull} title="Unable to fetch your integrations" />
      ) : (
        <p role="status" className="flex items-center gap-3">
          <Spinner />
          Asking whether your Google Drive is connected
        </p>
      )
    case 'none':
      return (
        <Notice title="Please connect your Google account first to access Google Drive.">
          Google asks you which videos this server may read, and you come back here.
        </Notice>
      )
    case 'limited':
      return (
        <>
          <Notice
            kind="warning"
            title="Your Google Drive integration is missing download permissions. Please reauthorize..."
          />
          <ol className="list-decimal space-y-2 pl-5">
            <li>Press 'Reauthorize' and choose your Google account.</li>
            <li>
              Google lists what this server asks for. Tick the box beside your Google Drive files;
              without it nothing can be downloaded.
            </li>
            <li>Press 'Continue', and you come back here.</li>
          </ol>
        </>
      )
    case 'expired':
      return (
        <Notice kind="error" title="Please reconnect your Google account first...">
          Google lets this server in no more, for example after a new password.
        </Notice>
      )
    case 'ready':
      return <p>Your Google Drive is connected.</p>
  }
}
