import { useNow } from '#src/hooks/clock/use-now.ts'
import type { KeptFileRow } from '#src/hooks/edits/use-kept-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { DAY_MS } from '#src/lib/time.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { goingTitle } from './kept-words.ts'

/** So many names are read before a press. */
const NAMES = 5

interface RemoveQuestionProps {
  /** Null while nothing is asked. */
  readonly files: readonly KeptFileRow[] | null
  /** What for, as a sentence. */
  readonly words: string
  readonly onRemove: (files: readonly KeptFileRow[]) => void
  readonly onClose: () => void
}

/** Asked before files go from this device: none goes without it. */
export function RemoveQuestion({ files, words, onRemove, onClose }: RemoveQuestionProps) {
  const nowEpochMs = useNow(DAY_MS)
  const shown = files ?? []
  return (
    <QuestionDialog
      title={shown.length === 0 ? '' : goingTitle(shown, nowEpochMs)}
      isOpen={files !== null}
      keepWords="Keep them"
      actWords="Remove"
      isDanger
      onAct={() => onRemove(shown)}
      onClose={onClose}
    >
      <p>{words}</p>
      <ul className="mt-3 list-disc pl-5 text-sm">
        {shown.slice(0, NAMES).map(({ outputId, fileName, sizeBytes }) => (
          <li key={outputId} className="wrap-anywhere">
            {fileName}, {formatBytes(sizeBytes)}
          </li>
        ))}
      </ul>
      {shown.length > NAMES ? <p className="text-sm">and {shown.length - NAMES} more.</p> : null}
      <p className="mt-3 text-sm text-ink-muted">
        You can get them again for as long as the server has them.
      </p>
    </QuestionDialog>
  )
}
