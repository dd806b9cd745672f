import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { MadeFiles } from '#src/components/made/MadeFiles.tsx'
import { MakeAgain } from '#src/components/made/MakeAgain.tsx'
import { MakeProgress } from '#src/components/made/MakeProgress.tsx'
import { failedWords, GONE_WORDS } from '#src/components/made/make-words.ts'
import { minuteWords } from '#src/lib/time-words.ts'
import {
  useIsMadeByServer,
  useMaker,
  useMaking,
  useUploadOfMade,
  type MadeFileRow,
} from '#src/hooks/edits/use-made-edits.ts'
import { useIsAway, usePreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { truncate } from '#src/lib/text.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

/** The edits that this device made itself, above those of the server. Draws nothing without any. */
export function MadeEdits({ rows }: { readonly rows: readonly MadeFileRow[] }) {
  const maker = useMaker()
  const [removed, setRemoved] = useState<MadeFileRow | null>(null)
  const remove = async ({ id }: MadeFileRow) => {
    setRemoved(null)
    await maker.remove(id)
  }
  if (rows.length === 0) return null
  return (
    <section aria-label="Made on this device" className="mb-4">
      <ul className="grid gap-4">
        {rows.map((row) => (
          <li key={row.id}>
            <MadeEdit row={row} onRemove={() => setRemoved(row)} />
          </li>
        ))}
      </ul>
      <QuestionDialog
        title="Remove this edit from the device?"
        isOpen={removed !== null}
        keepWords="Keep it"
        actWords="Remove"
        isDanger
        onAct={() => void (removed !== null && remove(removed))}
        onClose={() => setRemoved(null)}
      >
        {`${removed?.editName ?? ''} is nowhere else, unless you saved it. Your video stays.`}
      </QuestionDialog>
    </section>
  )
}

function MadeEdit({ row, onRemove }: { readonly row: MadeFileRow; readonly onRemove: () => void }) {
  const isMadeByServer = useIsMadeByServer(row)
  return (
    <Card isFlush className="p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2
          title={row.videoName}
          className="min-w-0 text-lg leading-snug font-semibold wrap-break-word"
        >
          {truncate(row.videoName, JOB_NAME_MAX_CHARACTERS)}
        </h2>
        <Badge tone="accent">On this device</Badge>
      </div>
      <p className="mt-0.5 text-sm text-ink-muted tabular-nums">
        {row.editName} · {minuteWords(row.createdAtEpochMs)}
      </p>
      <div tabIndex={-1} className="mt-4 flex flex-col items-start gap-3 outline-none">
        <MadeState row={row} />
        {isMadeByServer ? (
          <p className="text-sm text-ink-muted">
            Our server has made this edit as well: it is below. You can remove the one on this
            device.
          </p>
        ) : null}
        {row.state.kind === 'making' ? null : (
          <Button
            variant="quiet"
            size="small"
            onPress={onRemove}
            label={`Remove from this device: ${row.editName} of ${row.videoName}`}
            className="-ml-3"
          >
            <Trash2 aria-hidden className="size-4" />
            Remove from this device
          </Button>
        )}
      </div>
    </Card>
  )
}

function MadeState({ row }: { readonly row: MadeFileRow }) {
  const making = useMaking()
  switch (row.state.kind) {
    case 'making':
      return making?.id === row.id ? (
        <div className="w-full max-w-xl">
          <MakeProgress making={making} name={row.editName} />
        </div>
      ) : (
        <p>Another tab of this browser makes it.</p>
      )
    case 'ready':
      return (
        // One player alone would be twice as large as those of the edits below.
        <div className={row.state.files.length > 1 ? 'w-full max-w-2xl' : 'w-full max-w-md'}>
          <MadeFiles row={row} />
        </div>
      )
    case 'failed':
      return (
        <>
          <p>{failedWords(row)}</p>
          <AgainHere row={row} />
        </>
      )
    case 'gone':
      return (
        <>
          <p>{GONE_WORDS}</p>
          <AgainHere row={row} />
        </>
      )
  }
}

/** Goes on with a device edit, or makes it again, where its video is here. */
function AgainHere({ row }: { readonly row: MadeFileRow }) {
  const upload = useUploadOfMade(row)
  const source = usePreviewSource(upload ?? null)
  const video = source.kind === 'video' ? source.video : null
  const isAway = useIsAway(video, upload?.state.kind)
  return upload === undefined ? null : <MakeAgain row={row} video={isAway ? null : video} />
}
