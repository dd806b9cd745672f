import { useRef, useState } from 'react'
import { ProblemNotice } from '#src/components/ProblemNotice.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { googlePicker } from '#src/config/paths.ts'
import { useAfter } from '#src/hooks/use-after.ts'
import { useFrameMessages } from '#src/hooks/use-frame-messages.ts'
import { useImportFile } from '#src/hooks/use-import-file.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { driveMessage } from './drive-message.ts'

/** The document says within this time that it is ready, or counts as not loaded. */
const READY_WITHIN_MS = 15 * SECOND_MS

export interface DrivePickerProps {
  readonly externalAuthId: string
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly onClose: () => void
  readonly onBegun: (uploadRequestId: string) => void
}

/** Google's own picker, in a frame; nothing of Google is loaded before it is shown. */
export function DrivePicker(props: DrivePickerProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { stage, problem, isBusy, reload, hear } = usePicking(props)
  useFrameMessages(frame, hear)
  return (
    <>
      {stage === 'unloaded' ? (
        <Notice
          kind="warning"
          isLive
          title="Google Drive did not load"
          action={<Button onPress={reload}>Try again</Button>}
        >
          Check your connection, and whether a blocker of your browser keeps Google out.
        </Notice>
      ) : (
        <iframe
          ref={frame}
          src={googlePicker(props.externalAuthId)}
          title="Google Drive"
          className="h-[60dvh] w-full"
        />
      )}
      {stage === 'loading' || isBusy ? (
        <p role="status" className="flex items-center gap-3">
          <Spinner />
          {isBusy ? 'Asking Google Drive for your video' : 'Loading Google Drive'}
        </p>
      ) : null}
      <ProblemNotice problem={problem} />
    </>
  )
}

interface Words {
  readonly title: string
  readonly body: string | null
}

/** How far the document is, and the import of what is chosen in it. */
function usePicking({ externalAuthId, renews, onClose, onBegun }: DrivePickerProps) {
  const [stage, setStage] = useState<'loading' | 'ready' | 'unloaded'>('loading')
  const [problem, setProblem] = useState<Words | null>(null)
  const call = useImportFile(renews)
  useAfter(stage === 'loading' ? READY_WITHIN_MS : null, () => setStage('unloaded'))
  const begin = async (googleDriveFileId: string): Promise<void> => {
    setProblem(null)
    const begun = await call.mutateAsync({
      provider: 'google-drive-picker-single-file',
      externalAuthId,
      googleDriveFileId,
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
      const said = driveMessage(data)
      if (said === null) return
      if (said === 'canceled') onClose()
      else if (typeof said === 'string') setStage(said)
      else if ('id' in said) void begin(said.id)
      else {
        setStage('ready')
        setProblem({ title: said.refusal, body: null })
      }
    },
  }
}
