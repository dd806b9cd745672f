import { useState } from 'react'
import { EditChoice } from './EditChoice.tsx'
import { savableTasks } from './drive-save-words.ts'
import type { SavableJob } from './SaveToDriveDialog.tsx'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { ChoiceFrame } from '#src/components/frames/ChoiceFrame.tsx'
import { useFrameStage } from '#src/components/frames/use-frame-stage.ts'
import { DROPBOX_SAVER } from '#src/config/paths.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { saverMessage } from './saver-message.ts'

interface SaveToDropboxDialogProps {
  readonly job: SavableJob
  readonly isOpen: boolean
  readonly onClose: () => void
}

/**
 * Has Dropbox save finished edits. Nothing of Dropbox is loaded before the edits are chosen, and
 * its script only in the frame; Dropbox fetches the files from the server by itself.
 */
export function SaveToDropboxDialog({ isOpen, ...props }: SaveToDropboxDialogProps) {
  return (
    <Dialog title="Save to Dropbox" isOpen={isOpen} onClose={props.onClose}>
      {isOpen ? <ChooseEdits {...props} /> : null}
    </Dialog>
  )
}

function ChooseEdits({ job, onClose }: Omit<SaveToDropboxDialogProps, 'isOpen'>) {
  const tasks = savableTasks(job.tasks)
  const [left, setLeft] = useState<readonly string[]>([])
  const [isChosen, setChosen] = useState(false)
  const taskIds = tasks.map(({ _id }) => _id).filter((id) => !left.includes(id))
  if (isChosen) return <Saver mediaJobId={job._id} taskIds={taskIds} />
  return (
    <div className="flex flex-col gap-5 pt-1">
      <p>
        Dropbox fetches the files from this server by itself. That works only where the server can
        be reached from the internet. <HelpLink slug="dropbox" />
      </p>
      <EditChoice tasks={tasks} left={left} onChange={setLeft} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onPress={onClose}>
          Cancel
        </Button>
        <Button onPress={() => setChosen(true)} isDisabled={taskIds.length === 0}>
          Continue
        </Button>
      </div>
    </div>
  )
}

/** What is known of the copies; null before Dropbox has taken the files. */
type Known =
  | { readonly kind: 'copying'; readonly progress: number }
  | { readonly kind: 'saved' | 'canceled' }
  | { readonly kind: 'failed'; readonly reason: string }
  | null

function Saver({
  mediaJobId,
  taskIds,
}: {
  readonly mediaJobId: string
  readonly taskIds: readonly string[]
}) {
  const frame = useFrameStage()
  const [known, setKnown] = useState<Known>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const hear = (data: unknown): void => {
    const said = saverMessage(data)
    if (said === null) return
    if (said === 'ready' || said === 'unloaded') return frame.setStage(said)
    if (said === 'saved' || said === 'canceled') return setKnown({ kind: said })
    if ('progress' in said) return setKnown({ kind: 'copying', progress: said.progress })
    if ('error' in said) return setKnown({ kind: 'failed', reason: said.error })
    // The document is there, and has no files for Dropbox.
    frame.setStage('ready')
    setRefusal(said.refusal)
  }
  const query = new URLSearchParams([['mediaJobId', mediaJobId]])
  for (const taskId of taskIds) query.append('taskId', taskId)
  const problem = refusal === null ? null : { title: refusal, body: null }
  return (
    <div className="flex flex-col gap-5 pt-1">
      <ChoiceFrame
        choice={{ ...frame, problem, isBusy: false }}
        cloud="Dropbox"
        address={`${DROPBOX_SAVER}?${query.toString()}`}
        className="h-36 w-full"
        advice="Check your connection, and whether a blocker of your browser keeps Dropbox out. The files can be downloaded all the same."
        hear={hear}
      />
      <Said known={known} />
    </div>
  )
}

function Said({ known }: { readonly known: Known }) {
  switch (known?.kind) {
    case 'copying':
      return (
        <div className="flex flex-col gap-2">
          <ProgressBar label="Dropbox is copying the files" percent={known.progress * 100} />
          <p className="text-sm text-ink-muted">
            Once you close this, Onecut does not hear how it ends.
          </p>
        </div>
      )
    case 'saved':
      return (
        <Notice kind="success" isLive title="Dropbox says that it has saved the files">
          They are in the folder that you chose there.
        </Notice>
      )
    case 'canceled':
      return <p role="status">You closed Dropbox before it took the files.</p>
    case 'failed':
      return (
        <Notice kind="error" isLive title="Dropbox could not save the files">
          {known.reason === '' ? null : `It says: ${known.reason} `}
          Check that this server can be reached from the internet and that your Dropbox has room.
          Then try again.
        </Notice>
      )
    case undefined:
      return null
  }
}
