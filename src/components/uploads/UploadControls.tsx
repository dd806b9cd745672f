import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useLocation } from 'react-router'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isLostByLogout } from '#src/local/db/upload-states.ts'
import { Button, type ButtonProps } from '#src/ui/Button.tsx'
import { HiddenFileInput } from '#src/ui/HiddenFileInput.tsx'
import { FILE_KINDS } from './file-kinds.ts'
import { DiscardQuestion, isDiscardAsked } from './DiscardQuestion.tsx'
import { uploadActions, type UploadAction } from '#src/components/upload-words/actions.ts'
import { useHandOverOffer } from './use-closing-words.ts'
import { useUploadActions } from './use-upload-actions.ts'

const TEXT: Readonly<Record<UploadAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  'hand-over': 'Finish in the background',
  'retry-now': 'Retry now',
  'sign-in': 'Log in',
  'choose-again': 'Choose the file again',
  'choose-original': 'Choose the original',
  allow: 'Continue upload',
  'start-over': 'Start over',
  'choose-another': 'Choose another file',
  'copy-details': 'Copy details',
  discard: 'Discard',
  undo: 'Undo',
  dismiss: 'Dismiss',
}
/** Never the filled button, even where they come first. */
const MINOR: ReadonlySet<UploadAction> = new Set(['pause', 'hand-over', 'discard', 'dismiss'])

/** The buttons of one upload: everything that can be done about its state. */
export function UploadControls({
  row,
  isMainShown = true,
}: {
  readonly row: UploadRow
  readonly isMainShown?: boolean
}) {
  const { pathname } = useLocation()
  const canHandOver = useHandOverOffer(row)
  const group = useRef<HTMLDivElement>(null)
  const wasPressed = useKeptFocus(group, row.state.kind)
  const input = useRef<HTMLInputElement>(null)
  const { run, give } = useUploadActions(row, () => input.current?.click())
  const [isAsking, setIsAsking] = useState(false)
  const isLossGreat = isLostByLogout(row.state.kind) && isDiscardAsked(row.safeBytes)
  const undoUntilEpochMs = row.state.kind === 'discarding' ? row.state.undoUntilEpochMs : null
  const nowEpochMs = useNow(undoUntilEpochMs === null ? null : SECOND_MS)
  const isOffered = (action: UploadAction): boolean => {
    // On the screen where uploads begin, the person can choose a file there.
    if (action === 'choose-another') return pathname !== FILE_KINDS[row.purpose].choosePath
    if (action === 'hand-over') return canHandOver
    return action !== 'undo' || (undoUntilEpochMs !== null && nowEpochMs < undoUntilEpochMs)
  }
  return (
    <div ref={group} className="flex flex-wrap gap-2">
      {uploadActions(row.state)
        .filter(isOffered)
        .map((action, index) => (
          <Button
            key={action}
            size="small"
            variant={variantOf(action, index === 0 && isMainShown)}
            onPress={() => {
              wasPressed.current = true
              if (action === 'discard' && isLossGreat) setIsAsking(true)
              else run(action)
            }}
            label={`${textOf(action, row)}: ${row.file.name}`}
          >
            {textOf(action, row)}
          </Button>
        ))}
      <HiddenFileInput
        accept={FILE_KINDS[row.purpose].accept}
        ref={input}
        onChoose={(file) => void give(file, null)}
      />
      <DiscardQuestion
        name={row.file.name}
        safeBytes={row.safeBytes}
        sizeBytes={row.file.sizeBytes}
        isOpen={isAsking && isLossGreat}
        onDiscard={() => run('discard')}
        onClose={() => setIsAsking(false)}
      />
    </div>
  )
}

/** An asset that has arrived and is dismissed would be nowhere any more. */
function textOf(action: UploadAction, { purpose }: UploadRow): string {
  return TEXT[action === 'dismiss' && purpose === 'media-asset' ? 'discard' : action]
}

function variantOf(action: UploadAction, isMain: boolean): NonNullable<ButtonProps['variant']> {
  if (isMain && !MINOR.has(action)) return 'primary'
  return action === 'discard' ? 'quiet' : 'secondary'
}

/**
 * A pressed button often disappears with the state that it ended. Moves the focus to the first
 * remaining button then, so that a person at the keyboard does not start again at the top of the
 * page. Set the returned flag when a button is pressed.
 */
function useKeptFocus(
  group: RefObject<HTMLElement | null>,
  state: UploadRow['state']['kind'],
): RefObject<boolean> {
  const wasPressed = useRef(false)
  useEffect(() => {
    if (wasPressed.current && document.activeElement === document.body)
      group.current?.querySelector('button')?.focus({ preventScroll: true })
    wasPressed.current = false
  }, [group, state])
  return wasPressed
}
