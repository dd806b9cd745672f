import { useRef, useState } from 'react'
import { HelpLink } from '#src/components/HelpLink.tsx'
import { ProblemNotice } from '#src/components/ProblemNotice.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { DROPBOX_CHOOSER } from '#src/config/paths.ts'
import { useAfter } from '#src/hooks/use-after.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { useFrameMessages } from '#src/hooks/use-frame-messages.ts'
import { useImportFile } from '#src/hooks/use-import-file.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { dropboxFault, dropboxMessage, type DropboxFile } from './dropbox-message.ts'

/** The document says within this time that it is ready, or counts as not loaded. */
const READY_WITHIN_MS = 15 * SECOND_MS

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
  const frame = useRef<HTMLIFrameElement>(null)
  const { stage, problem, isBusy, reload, hear } = useChoosing({ renews, onBegun })
  useFrameMessages(frame, hear)
  return (
    <div className="flex flex-col gap-5 pt-1">
      {stage === 'unloaded' ? (
        <Notice
          kind="warning"
          isLive
          title="Dropbox did not load"
          action={<Button onPress={reload}>Try again</Button>}
        >
          Check your connection, and whether a blocker of your browser keeps Dropbox out. A share
          link of Dropbox can be pasted instead.
        </Notice>
      ) : (
        <iframe ref={frame} src={DROPBOX_CHOOSER} title="Dropbox" className="h-36 w-full" />
      )}
      {stage === 'loading' || isBusy ? (
        <p role="status" className="flex items-center gap-3">
          <Spinner />
          {isBusy ? 'Asking Dropbox for your video' : 'Loading Dropbox'}
        </p>
      ) : null}
      <ProblemNotice problem={problem} />
      <HelpLink slug="links" />
      <div className="flex justify-end">
        <Button variant="secondary" onPress={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

interface Words {
  readonly title: string
  readonly body: string | null
}

/** How far the document is, and the import of what is chosen in it. */
function useChoosing({ renews, onBegun }: Pick<DropboxDialogProps, 'renews' | 'onBegun'>) {
  const mostBytes = useCapabilities().data?.uploads.maxCloudUploadSizeBytes ?? Infinity
  const [stage, setStage] = useState<'loading' | 'ready' | 'unloaded'>('loading')
  const [problem, setProblem] = useState<Words | null>(null)
  const call = useImportFile(renews)
  useAfter(stage === 'loading' ? READY_WITHIN_MS : null, () => setStage('unloaded'))
  const begin = async (file: DropboxFile): Promise<void> => {
    const fault = dropboxFault(file, mostBytes)
    setProblem(fault === null ? null : { title: fault, body: null })
    if (fault !== null) return
    const begun = await call.mutateAsync({
      provider: 'dropbox-chooser-single-file',
      metadata: { clientFilename: file.name, clientFileSize: file.bytes },
      dropboxFileId: file.id,
      directLink: file.link,
    })
    if (begun.ok) onBegun(begun.value.uploadRequestId)
    else setProblem(serverProblemCopy(begun.error))
  }
  return {
    stage,
    problem,
    isBusy: call.isPending,
    reload: () => setStage('loading'),
    hear: (data: unknown) => {
      const said = dropboxMessage(data)
      if (said === null || said === 'canceled') return
      if (said === 'ready' || said === 'unloaded') setStage(said)
      else void begin(said)
    },
  }
}
