import { Download, FileArchive } from 'lucide-react'
import { useState } from 'react'
import { FileName } from '#src/components/outputs/FileName.tsx'
import { SaveAll } from '#src/components/outputs/SaveAll.tsx'
import { ShownOnPress } from '#src/components/pictures/ListPicture.tsx'
import { ShareFile } from '#src/components/outputs/ShareFile.tsx'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import {
  useMadeFile,
  useMaker,
  useSeen,
  type MadeFileRow,
} from '#src/hooks/edits/use-made-edits.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { MadeFileFacts } from '#src/local/db/rows.ts'
import { Button } from '#src/ui/Button.tsx'
import { buttonLook } from '#src/ui/button-look.ts'
import { classNames } from '#src/ui/class-names.ts'

/** So many are shown before a person asks for all: thirteen stills fill a phone six times. */
const SHOWN_FIRST = 4

/** The files of a finished device edit: looked at, saved and shared without a network. */
export function MadeFiles({ row }: { readonly row: MadeFileRow }) {
  useSeen(row)
  const maker = useMaker()
  const [areAllShown, setAllShown] = useState(false)
  const files = row.state.kind === 'ready' ? row.state.files : []
  const openAll = async () => {
    const opened = await Promise.all(files.map((_, index) => maker.open(row, index)))
    return opened.every((file) => file !== null) ? opened : null
  }
  const shown = areAllShown ? files : files.slice(0, SHOWN_FIRST)
  return (
    <div className="@container flex flex-col gap-3">
      <SaveAll files={files} name={row.editName} open={openAll} />
      <ul
        className={classNames(
          'grid gap-3',
          files.length > 1 && '@min-[22rem]:grid-cols-2 @5xl:grid-cols-4',
        )}
      >
        {shown.map((facts, index) => (
          <li
            key={facts.fileName}
            className="flex min-w-0 flex-col gap-3 rounded-control border border-line bg-surface p-3"
          >
            <MadeFileResult row={row} index={index} facts={facts} />
          </li>
        ))}
      </ul>
      {shown.length === files.length ? null : (
        <Button
          variant="secondary"
          size="small"
          onPress={() => setAllShown(true)}
          label={`Show all ${files.length} files of ${row.editName}`}
          className="self-start"
        >
          Show all {files.length} files
        </Button>
      )}
    </div>
  )
}

function MadeFileResult({
  row,
  index,
  facts,
}: {
  readonly row: MadeFileRow
  readonly index: number
  readonly facts: MadeFileFacts
}) {
  const file = useMadeFile(row, index)
  const address = useBlobUrl(file)
  const { fileName, contentType, sizeBytes } = facts
  return (
    <>
      <div className="relative grid aspect-video w-full place-items-center overflow-hidden rounded-control bg-surface-sunken text-ink-faint">
        {address === null ? null : (
          <ShownOnPress name={fileName}>
            <Player address={address} contentType={contentType} fileName={fileName} />
          </ShownOnPress>
        )}
      </div>
      <div className="mt-auto min-w-0">
        <FileName fileName={fileName} />
        <p className="text-sm text-ink-muted tabular-nums">{formatBytes(sizeBytes)}</p>
      </div>
      {address === null || file === null ? null : (
        <>
          <a
            href={address}
            download={fileName}
            aria-label={`Save ${fileName}`}
            className={buttonLook('secondary', 'medium', 'w-full')}
          >
            <Download aria-hidden className="size-4.5" />
            Save
          </a>
          <ShareFile file={facts} from={file} />
        </>
      )}
    </>
  )
}

function Player({
  address,
  contentType,
  fileName,
}: {
  readonly address: string
  readonly contentType: string
  readonly fileName: string
}) {
  const look = 'absolute inset-0 size-full object-contain'
  if (contentType.startsWith('image/')) return <img src={address} alt={fileName} className={look} />
  if (contentType.startsWith('video/'))
    return (
      <video
        src={address}
        controls
        playsInline
        preload="metadata"
        aria-label={fileName}
        className={classNames(look, 'bg-black')}
      />
    )
  return <FileArchive aria-hidden className="size-9" />
}
