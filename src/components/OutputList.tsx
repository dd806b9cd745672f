import { Download } from 'lucide-react'
import type { components } from '#openapi/schema.gen.ts'
import { BUTTON_TEXT_MAX_CHARACTERS } from '#spec/numbers.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { truncate } from '#src/lib/text.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
import { OutputPreview } from './OutputPreview.tsx'
import { ShareFile } from './ShareFile.tsx'
import { lengthWords } from './time-words.ts'

type Output = components['schemas']['Output']
type FileOutput = Extract<Output, { kind: 'download-button' }>

/**
 * How many results show at once; the rest opens on demand, so that the page does not become
 * endless.
 */
const SHOWN_AT_ONCE = 4
/** On phones each fills half of the screen. */
const SHOWN_ON_PHONES = 1

export interface OutputListProps {
  readonly outputs: readonly Output[]
  readonly isOnline: boolean
  /** The picture of the source video; null when this device has none. */
  readonly sourcePicture: Blob | null
  /** Beside another list: the files stand below one another. */
  readonly isOneColumn?: boolean
}

/** Why no file can be downloaded now; said once above all lists. Draws nothing when online. */
export function DownloadsWait({ isOnline }: Pick<OutputListProps, 'isOnline'>) {
  return isOnline ? null : (
    <p className="mb-4 text-sm text-ink-muted">
      Downloads need a connection. They work again when you are online.
    </p>
  )
}

/**
 * The results of one edit: files to preview and download, or text. Offline, the files are listed
 * without a way to download them.
 */
export function OutputList({ outputs, ...shown }: OutputListProps) {
  const count = useIsNarrow() ? SHOWN_ON_PHONES : SHOWN_AT_ONCE
  const [first, rest] = [outputs.slice(0, count), outputs.slice(count)]
  return (
    <div className="@container flex flex-col gap-3">
      <OutputGrid outputs={first} {...shown} />
      {rest.length === 0 ? null : (
        <Disclosure title={`${rest.length} more ${rest.length === 1 ? 'file' : 'files'}`}>
          <OutputGrid outputs={rest} {...shown} />
        </Disclosure>
      )}
    </div>
  )
}

function OutputGrid({ outputs, isOnline, sourcePicture, isOneColumn = false }: OutputListProps) {
  return (
    <ul
      className={classNames(
        'grid gap-3',
        // One file has all of the room, within reason.
        outputs.length === 1
          ? 'max-w-2xl'
          : !isOneColumn && '@min-[22rem]:grid-cols-2 @5xl:grid-cols-4',
      )}
    >
      {outputs.map((output) => (
        <li
          key={output._id}
          className="flex min-w-0 flex-col gap-3 rounded-control border border-line bg-surface p-3"
        >
          {output.kind === 'text' ? (
            <p className="whitespace-pre-wrap text-sm wrap-break-word">{output.text}</p>
          ) : (
            <FileResult output={output} isOnline={isOnline} sourcePicture={sourcePicture} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FileResult({
  output,
  isOnline,
  sourcePicture,
}: {
  readonly output: FileOutput
  readonly isOnline: boolean
  readonly sourcePicture: Blob | null
}) {
  const text = truncate(output.buttonText, BUTTON_TEXT_MAX_CHARACTERS)
  const facts = [
    output.width !== null && output.height !== null ? `${output.width} × ${output.height}` : null,
    output.duration === null ? null : lengthWords(output.duration),
    formatBytes(output.sizeBytes),
  ].filter((fact) => fact !== null)
  return (
    <>
      <OutputPreview output={output} isOnline={isOnline} sourcePicture={sourcePicture} />
      <div className="mt-auto min-w-0">
        <p className="truncate text-sm font-medium" title={output.fileName}>
          {output.fileName}
        </p>
        <p className="text-sm text-ink-muted tabular-nums">{facts.join(' · ')}</p>
      </div>
      {isOnline ? (
        <a
          href={output.downloadUrl}
          download={output.fileName}
          className={buttonLook('secondary', 'medium', 'w-full')}
        >
          <Download aria-hidden className="size-4.5" />
          {text}
        </a>
      ) : (
        <span
          aria-disabled
          className={buttonLook('secondary', 'medium', 'w-full cursor-not-allowed opacity-55')}
        >
          <Download aria-hidden className="size-4.5" />
          {text}
        </span>
      )}
      {isOnline ? <ShareFile file={output} /> : null}
    </>
  )
}
