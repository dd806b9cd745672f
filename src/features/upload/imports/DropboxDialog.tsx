import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { DROPBOX_CHOOSER } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ChoiceFrame } from '#src/components/frames/ChoiceFrame.tsx'
import { dropboxFault, dropboxMessage } from './dropbox-message.ts'
import { useFrameChoice } from './use-frame-choice.ts'

export interface DropboxDialogProps {
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onBegun: (uploadRequestId: string) => void
}

/**
 * Has a person choose a video in Dropbox's own window, from which the server then fetches it.
 * Nothing of Dropbox is loaded before the dialog is open, and its script only in the frame.
 */
export function DropboxDialog(props: DropboxDialogProps) {
  const { isOpen, onClose } = props
  return (
    <Dialog title="Choose from Dropbox" isOpen={isOpen} onClose={onClose}>
      {isOpen ? <Chooser {...props} /> : null}
    </Dialog>
  )
}

function Chooser({ renews, onClose, onBegun }: DropboxDialogProps) {
  const mostBytes = useCapabilities().data?.uploads.maxCloudUploadSizeBytes ?? Infinity
  const choice = useFrameChoice({ renews, onBegun })
  const hear = (data: unknown): void => {
    const said = dropboxMessage(data)
    if (said === null || said === 'canceled') return
    if (said === 'ready' || said === 'unloaded') return choice.setStage(said)
    const fault = dropboxFault(said, mostBytes)
    if (fault !== null) return choice.refuse(fault)
    void choice.begin({
      provider: 'dropbox-chooser-single-file',
      metadata: { clientFilename: said.name, clientFileSize: said.bytes },
      dropboxFileId: said.id,
      directLink: said.link,
    })
  }
  return (
    <div className="flex flex-col gap-5 pt-1">
      <ChoiceFrame
        choice={choice}
        cloud="Dropbox"
        address={DROPBOX_CHOOSER}
        className="h-36 w-full"
        advice="Check your connection, and whether a blocker of your browser keeps Dropbox out. A share link of Dropbox can be pasted instead."
        hear={hear}
      />
      <HelpLink slug="links" />
      <div className="flex justify-end">
        <Button variant="secondary" onPress={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
