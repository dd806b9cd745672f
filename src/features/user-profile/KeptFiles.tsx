import { useState } from 'react'
import { goingTitle, takenWords, FAULT_WORDS } from '#src/components/kept/kept-words.ts'
import { RemoveQuestion } from '#src/components/kept/RemoveQuestion.tsx'
import { useNow } from '#src/hooks/clock/use-now.ts'
import {
  useAllKept,
  useEstimate,
  useKeeper,
  type Keeper,
  type KeptFileRow,
} from '#src/hooks/edits/use-kept-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { DAY_MS } from '#src/lib/time.ts'
import { goingFor, largestLimit, limitOf, takenBytes } from '#src/local/kept/room.ts'
import { Button } from '#src/ui/Button.tsx'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { KeptFileItem } from './KeptFileItem.tsx'

const GB = 1_000_000_000
/** What is offered beside half of what the browser gives. */
const LIMITS = [0.5, 1, 2, 5, 10, 20, 50, 100].map((gigabytes) => gigabytes * GB)

type All = NonNullable<ReturnType<typeof useAllKept>>

/** What this device keeps of finished edits, and how much it may be; nothing where it cannot. */
export function KeptFiles() {
  const keeper = useKeeper()
  const all = useAllKept()
  const estimate = useEstimate(String(all?.files.length))
  if (keeper === null) return null
  if (all === null || estimate === null)
    return (
      <div role="status" aria-label="Loading the kept files">
        <Skeleton className="h-16" />
      </div>
    )
  return <Loaded keeper={keeper} all={all} estimate={estimate} />
}

interface LoadedProps {
  readonly keeper: Keeper
  readonly all: All
  readonly estimate: NonNullable<ReturnType<typeof useEstimate>>
}

function Loaded({ keeper, all: { files, keeping }, estimate }: LoadedProps) {
  const toasts = useToasts()
  const [asked, setAsked] = useState<Asked | null>(null)
  const limitBytes = limitOf(keeping, estimate)
  const taken = takenBytes(files)
  const over = goingFor(files, limitBytes)
  const run = (work: Promise<void>) =>
    void work.catch(() => toasts.show('error', 'This device could not do that.'))
  const change = (next: number) => {
    run(keeper.setLimit(next))
    const going = goingFor(files, next)
    if (going !== null) setAsked({ files: going, limitBytes: next })
  }
  return (
    <>
      <ProgressBar
        label="Kept files"
        percent={Math.min((taken / limitBytes) * 100, 99)}
        isFailed={taken > limitBytes}
        valueText={takenWords(taken, limitBytes)}
      />
      <SelectField
        label="Kept files may take"
        value={String(limitBytes)}
        options={limitsOf(limitBytes, largestLimit(estimate)).map((bytes) => ({
          value: String(bytes),
          label: formatBytes(bytes),
        }))}
        onChange={(value) => change(Number(value))}
      />
      {over === null ? null : (
        <OverLimit files={over} onAsk={() => setAsked({ files: over, limitBytes })} />
      )}
      <List
        files={files}
        onRemove={(file) => run(keeper.remove([file.outputId]))}
        onGet={(file) => run(keeper.getAgain(file))}
        onOpen={(file) => run(keeper.markOpened(file.outputId))}
      />
      <RemoveQuestion
        files={asked?.files ?? null}
        words={`Then kept files take no more than ${formatBytes(asked?.limitBytes ?? 0)}.`}
        onClose={() => setAsked(null)}
        onRemove={(going) => {
          setAsked(null)
          run(keeper.remove(going.map(({ outputId }) => outputId)))
        }}
      />
    </>
  )
}

/** The limit was lowered, or the browser gives less than before: says so, and removes nothing. */
function OverLimit({
  files,
  onAsk,
}: {
  readonly files: readonly KeptFileRow[]
  readonly onAsk: () => void
}) {
  const nowEpochMs = useNow(DAY_MS)
  return (
    <Notice
      kind="warning"
      title="More is kept than may be"
      action={
        <Button variant="secondary" size="small" onPress={onAsk}>
          {goingTitle(files, nowEpochMs)}
        </Button>
      }
    >
      Nothing is removed before you say so.
    </Notice>
  )
}

interface Asked {
  readonly files: readonly KeptFileRow[]
  readonly limitBytes: number
}

interface ListProps {
  readonly files: readonly KeptFileRow[]
  readonly onRemove: (file: KeptFileRow) => void
  readonly onGet: (file: KeptFileRow) => void
  readonly onOpen: (file: KeptFileRow) => void
}

function List({ files, ...actions }: ListProps) {
  if (files.length === 0)
    return (
      <p className="text-sm text-ink-muted">
        No finished edit is kept on this device. “Keep on this device” stands below each file of an
        edit. What is kept plays without a connection, and goes when you log out.
      </p>
    )
  return (
    <Disclosure title={files.length === 1 ? '1 file' : `${files.length} files`}>
      <ul className="divide-y divide-line">
        {files.map((file) => (
          <KeptFileItem
            key={file.outputId}
            file={file}
            note={file.fault === undefined ? null : FAULT_WORDS[file.fault]}
            onRemove={() => actions.onRemove(file)}
            onGet={() => actions.onGet(file)}
            onOpen={() => actions.onOpen(file)}
          />
        ))}
      </ul>
    </Disclosure>
  )
}

/** The limits to choose from, with the one that holds now and the largest one. */
function limitsOf(limitBytes: number, largest: number | null): readonly number[] {
  const offered = LIMITS.filter((bytes) => largest === null || bytes < largest)
  const all = new Set([...offered, limitBytes, ...(largest === null ? [] : [largest])])
  return [...all].toSorted((one, other) => one - other)
}
