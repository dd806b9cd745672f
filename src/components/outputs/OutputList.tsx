import type { components } from '#openapi/schema.gen.ts'
import { useKeeper, useKeptOf } from '#src/hooks/edits/use-kept-files.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
import { FileResult } from './FileResult.tsx'

type Output = components['schemas']['Output']

/**
 * How many results show at once; the rest opens on demand, so that the page does not become
 * endless.
 */
const SHOWN_AT_ONCE = 4
/** On phones each fills half of the screen. */
const SHOWN_ON_PHONES = 1

export interface OutputListProps {
  readonly outputs: readonly Output[]
  /** The video that they were made of. */
  readonly uploadRequestId: string
  readonly isOnline: boolean
  /** The picture of the source video; null when this device has none. */
  readonly sourcePicture: Blob | null
  /** Beside another list: the files stand below one another. */
  readonly isOneColumn?: boolean
}

/** Why no file can be downloaded now; said once above all lists. Draws nothing when online. */
export function DownloadsWait({ isOnline }: Pick<OutputListProps, 'isOnline'>) {
  const keeper = useKeeper()
  if (isOnline) return null
  return (
    <p className="mb-4 text-sm text-ink-muted">
      {keeper === null
        ? 'Downloads need a connection. They work again when you are online.'
        : 'Downloads need a connection, but for files that this device keeps.'}
    </p>
  )
}

/**
 * The results of one edit: files to preview and download, or text. Offline, the files that are not
 * kept here are listed without a way to download them.
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

function OutputGrid({ outputs, isOneColumn = false, ...shown }: OutputListProps) {
  const kept = useKeptOf(outputs.map(({ _id }) => _id))
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
            <FileResult output={output} row={kept.get(output._id) ?? null} {...shown} />
          )}
        </li>
      ))}
    </ul>
  )
}
