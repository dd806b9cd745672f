import { CircleCheck, HardDriveDownload } from 'lucide-react'
import { useState } from 'react'
import { useKeeper, type Keeper, type KeptFileRow } from '#src/hooks/edits/use-kept-files.ts'
import { Button } from '#src/ui/Button.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { FAULT_WORDS, noRoomWords } from './kept-words.ts'
import { RemoveQuestion } from './RemoveQuestion.tsx'

interface KeepFileProps {
  readonly output: Pick<KeptFileRow, 'fileName' | 'sizeBytes'> & { readonly _id: string }
  readonly uploadRequestId: string
  /** What this device has of it; null for nothing. */
  readonly row: KeptFileRow | null
  readonly isOnline: boolean
}

/** Keeps a result on this device, and says how far it is; nothing where the browser cannot. */
export function KeepFile(props: KeepFileProps) {
  const keeper = useKeeper()
  return keeper === null ? null : <Keep keeper={keeper} {...props} />
}

function Keep({ keeper, ...props }: KeepFileProps & { readonly keeper: Keeper }) {
  const { output, row } = props
  const asking = useAskedKeep(keeper, props)
  const remove = () => asking.run(() => keeper.remove([output._id]))
  return (
    <>
      <State {...props} onKeep={asking.ask} onRemove={remove} />
      <p role="status" className="text-sm text-ink-muted empty:hidden">
        {asking.problem ?? (row?.fault === undefined ? '' : FAULT_WORDS[row.fault])}
      </p>
      <RemoveQuestion {...asking.question} />
    </>
  )
}

/** Keeps a file where there is room, asks where others have to go, and says where neither helps. */
function useAskedKeep(
  keeper: Keeper,
  { output: { _id: outputId, fileName, sizeBytes }, uploadRequestId, row }: KeepFileProps,
) {
  const toasts = useToasts()
  const [files, setFiles] = useState<readonly KeptFileRow[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = (work: () => Promise<void>): void =>
    void work().catch(() => toasts.show('error', 'This device could not do that.'))
  const keep = async (): Promise<void> => {
    const file = { outputId, sizeBytes }
    if (row === null) await keeper.keep(uploadRequestId, file)
    else await keeper.getAgain(file)
  }
  const ask = async (): Promise<void> => {
    setProblem(null)
    const room = await keeper.roomFor({ outputId, sizeBytes })
    if (room.kind === 'fits') await keep()
    else if (room.kind === 'remove') setFiles(room.files)
    else setProblem(noRoomWords(room))
  }
  return {
    problem,
    run,
    ask: () => run(ask),
    question: {
      files,
      words: `${fileName} needs their room on this device.`,
      onClose: () => setFiles(null),
      onRemove: (going: readonly KeptFileRow[]) => {
        setFiles(null)
        run(async () => {
          await keeper.remove(going.map((file) => file.outputId))
          await keep()
        })
      },
    },
  }
}

interface StateProps extends KeepFileProps {
  readonly onKeep: () => void
  readonly onRemove: () => void
}

function State({ output: { fileName }, row, isOnline, onKeep, onRemove }: StateProps) {
  switch (row?.state) {
    case undefined:
      return (
        <Button
          variant="quiet"
          className="w-full"
          label={`Keep on this device: ${fileName}`}
          onPress={onKeep}
        >
          <HardDriveDownload aria-hidden className="size-4.5" />
          Keep on this device
        </Button>
      )
    case 'queued':
    case 'getting':
      return <Getting row={row} isOnline={isOnline} onStop={onRemove} />
    case 'kept':
      return (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="flex items-center gap-2 text-sm font-medium text-good">
            <CircleCheck aria-hidden className="size-4.5" />
            On this device
          </p>
          <Button
            variant="quiet"
            size="small"
            label={`Remove ${fileName} from this device`}
            onPress={onRemove}
          >
            Remove
          </Button>
        </div>
      )
    case 'failed':
      return (
        <div className="flex flex-wrap gap-2">
          {row.fault === 'gone' ? null : (
            <Button
              variant="secondary"
              size="small"
              label={`Get it again: ${fileName}`}
              onPress={onKeep}
            >
              Get it again
            </Button>
          )}
          <Button
            variant="quiet"
            size="small"
            label={`Do not keep it: ${fileName}`}
            onPress={onRemove}
          >
            Do not keep it
          </Button>
        </div>
      )
  }
}

function Getting({
  row: { fileName, state, gotBytes, sizeBytes, handed },
  isOnline,
  onStop,
}: {
  readonly row: KeptFileRow
  readonly isOnline: boolean
  readonly onStop: () => void
}) {
  const alone = handed === undefined ? '' : 'Goes on when you close this page.'
  return (
    <div className="flex flex-col gap-2">
      <ProgressBar
        label={state === 'queued' ? 'Waits for its turn' : 'Getting the file'}
        percent={Math.floor((gotBytes / sizeBytes) * 100)}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-muted">
          {isOnline ? alone : 'Goes on when you are online.'}
        </p>
        <Button variant="quiet" size="small" label={`Stop getting ${fileName}`} onPress={onStop}>
          Stop
        </Button>
      </div>
    </div>
  )
}
