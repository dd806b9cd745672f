import { useKeptHere, type KeptFileRow } from '#src/hooks/edits/use-kept-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Button } from '#src/ui/Button.tsx'

interface KeptFileItemProps {
  readonly file: KeptFileRow
  /** Why it is not here; null where it is, or is on its way. */
  readonly note: string | null
  readonly onRemove: () => void
  readonly onGet: () => void
  readonly onOpen: () => void
}

/** A kept file outside of its edit, which the server may have deleted: to save and to remove. */
export function KeptFileItem({ file, note, onRemove, onGet, onOpen }: KeptFileItemProps) {
  const { fileName, state, fault } = file
  const here = useKeptHere(file)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">{fileName}</p>
        <p className="text-sm text-ink-muted">{note ?? wordsOf(file)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {here === null ? null : (
          <a
            href={here.address}
            download={here.download ?? undefined}
            aria-label={`Save ${fileName}`}
            onClick={onOpen}
            className={buttonLook('secondary', 'small')}
          >
            Save
          </a>
        )}
        {state === 'failed' && fault !== 'gone' ? (
          <Button
            variant="secondary"
            size="small"
            label={`Get it again: ${fileName}`}
            onPress={onGet}
          >
            Get it again
          </Button>
        ) : null}
        <Button
          variant="quiet"
          size="small"
          label={`Remove ${fileName} from this device`}
          onPress={onRemove}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}

function wordsOf({ state, gotBytes, sizeBytes }: KeptFileRow): string {
  const size = formatBytes(sizeBytes)
  return state === 'kept' ? size : `${formatBytes(gotBytes)} of ${size}`
}
