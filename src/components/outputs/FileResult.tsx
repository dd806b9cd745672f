import { Download } from 'lucide-react'
import type { components } from '#openapi/schema.gen.ts'
import { BUTTON_TEXT_MAX_CHARACTERS } from '#spec/numbers.ts'
import { useKeeper, useKeptHere, type KeptFileRow } from '#src/hooks/edits/use-kept-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { truncate } from '#src/lib/text.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { KeepFile } from '#src/components/kept/KeepFile.tsx'
import { FileName } from './FileName.tsx'
import { OutputPreview } from './OutputPreview.tsx'
import { ShareFile } from './ShareFile.tsx'
import { lengthWords } from '#src/lib/time-words.ts'

type FileOutput = Extract<components['schemas']['Output'], { kind: 'download-button' }>

interface FileResultProps {
  readonly output: FileOutput
  readonly uploadRequestId: string
  /** What this device keeps of it; null for nothing. */
  readonly row: KeptFileRow | null
  readonly isOnline: boolean
  readonly sourcePicture: Blob | null
}

/** One file of an edit: to see, to save, to share and to keep. What is kept needs no network. */
export function FileResult({
  output,
  uploadRequestId,
  row,
  isOnline,
  sourcePicture,
}: FileResultProps) {
  const here = useKeptHere(row)
  const keeper = useKeeper()
  const open = () => {
    // What is not kept is not marked.
    if (here !== null) void keeper?.markOpened(output._id).catch(() => undefined)
  }
  return (
    <>
      <OutputPreview
        output={output}
        isOnline={isOnline}
        keptAddress={here?.address ?? null}
        sourcePicture={sourcePicture}
        onPlay={open}
      />
      <div className="mt-auto min-w-0">
        <FileName fileName={output.fileName} />
        <p className="text-sm text-ink-muted tabular-nums">{factsOf(output).join(' · ')}</p>
      </div>
      <SaveLink
        output={output}
        address={here?.address ?? (isOnline ? output.downloadUrl : null)}
        download={here === null ? output.fileName : here.download}
        onSave={open}
      />
      {isOnline || here !== null ? (
        <ShareFile file={output} from={here?.from ?? output.downloadUrl} onShare={open} />
      ) : null}
      <KeepFile output={output} uploadRequestId={uploadRequestId} row={row} isOnline={isOnline} />
    </>
  )
}

function SaveLink({
  output,
  address,
  download,
  onSave,
}: {
  readonly output: FileOutput
  /** Null without a network. */
  readonly address: string | null
  /** Null where the answer says it. */
  readonly download: string | null
  readonly onSave: () => void
}) {
  const shown = (
    <>
      <Download aria-hidden className="size-4.5" />
      {truncate(output.buttonText, BUTTON_TEXT_MAX_CHARACTERS)}
    </>
  )
  if (address === null)
    return (
      <span
        aria-disabled
        className={buttonLook('secondary', 'medium', 'w-full cursor-not-allowed opacity-55')}
      >
        {shown}
      </span>
    )
  return (
    <a
      href={address}
      download={download ?? undefined}
      onClick={onSave}
      className={buttonLook('secondary', 'medium', 'w-full')}
    >
      {shown}
    </a>
  )
}

function factsOf({ width, height, duration, sizeBytes }: FileOutput): readonly string[] {
  return [
    width !== null && height !== null ? `${width} × ${height}` : null,
    duration === null ? null : lengthWords(duration),
    formatBytes(sizeBytes),
  ].filter((fact) => fact !== null)
}
