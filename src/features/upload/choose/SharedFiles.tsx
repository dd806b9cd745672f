import { FileVideo } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useOfferedFiles, type OfferedFile } from './use-shared-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import type { ChosenFile } from '#src/ui/dropped-files.ts'
import { Notice } from '#src/ui/Notice.tsx'

interface SharedFilesProps {
  readonly onChoose: (chosen: readonly ChosenFile[]) => void
}

/** Videos that came from other apps, each with its own press: nothing of them is sent before. */
export function SharedFiles({ onChoose }: SharedFilesProps) {
  const offered = useOfferedFiles()
  const [lostName, setLostName] = useState<string | null>(null)
  const take = async (file: OfferedFile) => {
    try {
      onChoose([await file.take()])
    } catch {
      setLostName(file.name)
      await file.drop()
    }
  }
  return (
    <>
      <Missed />
      {lostName === null ? null : (
        <Notice kind="warning" isLive title={`${lostName} is not on this device any more`}>
          Please choose the video again.
        </Notice>
      )}
      {offered.length === 0 ? null : (
        <Card as="section" labelledBy="shared-files" className="flex flex-col gap-3">
          <h2 id="shared-files" className="text-lg font-semibold">
            {offered.length === 1 ? 'A video from another app' : 'Videos from other apps'}
          </h2>
          <p className="text-sm text-ink-muted">Nothing is sent before you press ‘Upload’.</p>
          <ul className="divide-y divide-line">
            {offered.map((file) => (
              <Offered
                key={file.key}
                file={file}
                onTake={() => void take(file)}
                onDrop={() => void file.drop().catch(() => undefined)}
              />
            ))}
          </ul>
          {offered.length === 1 ? null : (
            <Button
              variant="quiet"
              size="small"
              className="self-start"
              onPress={() => void Promise.allSettled(offered.map((file) => file.drop()))}
            >
              Remove all {offered.length}
            </Button>
          )}
        </Card>
      )}
    </>
  )
}

function Offered({
  file: { name, sizeBytes },
  onTake,
  onDrop,
}: {
  readonly file: OfferedFile
  readonly onTake: () => void
  readonly onDrop: () => void
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <FileVideo aria-hidden className="size-6 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        {sizeBytes === null ? null : (
          <p className="text-sm text-ink-muted tabular-nums">{formatBytes(sizeBytes)}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" label={`Upload ${name}`} onPress={onTake}>
          Upload
        </Button>
        <Button variant="quiet" size="small" label={`Remove ${name}`} onPress={onDrop}>
          Remove
        </Button>
      </div>
    </li>
  )
}

/** What another app shared and this one could not take. */
function Missed() {
  const [search] = useSearchParams()
  const outcome = search.get('shared')
  if (outcome !== 'missed' && outcome !== 'full' && outcome !== 'locked') return null
  return (
    <Notice kind="warning" title="The shared video could not be taken">
      {outcome === 'full' ? 'This device has too little free space for a copy of it. ' : ''}
      {outcome === 'locked' ? 'With the app lock on, no copy of it is made on this device. ' : ''}
      Please choose the video again.
    </Notice>
  )
}
