import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useNow } from '#src/hooks/use-now.ts'
import { useUploadCommands } from '#src/hooks/use-upload-commands.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { CommandResult } from '#src/local/uploads/api.ts'
import { Button } from '#src/ui/Button.tsx'
import { openPicker } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { commandFailureText } from './problem/upload-copy.ts'
import { uploadActions, type UploadAction } from './upload-actions.ts'
import { uploadDetails } from './upload-details.ts'
import { VIDEO_ACCEPT, VIDEO_PICKER_TYPES } from './video-types.ts'

const TEXT: Readonly<Record<UploadAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
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
/** Never the filled button, even where they stand first. */
const MINOR: ReadonlySet<UploadAction> = new Set(['pause', 'discard', 'dismiss'])

/** The buttons of one upload: everything that can be done about its state. */
export function UploadControls({
  row,
  isMainShown = true,
}: {
  readonly row: UploadRow
  readonly isMainShown?: boolean
}) {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const group = useRef<HTMLDivElement>(null)
  const wasPressed = useRef(false)
  const { kind } = row.state
  // A pressed button often goes with the state that it ended; who works by keyboard must not start
  // again at the top of the page.
  useEffect(() => {
    if (wasPressed.current && document.activeElement === document.body)
      group.current?.querySelector('button')?.focus({ preventScroll: true })
    wasPressed.current = false
  }, [kind])
  const undoUntilEpochMs = row.state.kind === 'discarding' ? row.state.undoUntilEpochMs : null
  const nowEpochMs = useNow(undoUntilEpochMs === null ? null : SECOND_MS)
  const say = (result: CommandResult) => {
    const words = result.ok ? null : commandFailureText(result.error.code)
    if (words !== null) toasts.show('error', words)
  }
  const give = async (file: File, handle: FileSystemFileHandle | null) => {
    say(await commands.provideFile(row.id, file, handle))
  }
  const chooseAgain = async () => {
    const chosen = await openPicker(VIDEO_PICKER_TYPES, false)
    if (chosen === null) input.current?.click()
    else if (chosen[0] !== undefined) await give(chosen[0].file, chosen[0].handle)
  }
  const discard = async () => {
    const discarded = await commands.discard(row.id)
    if (discarded.ok)
      toasts.show('default', `${row.file.name} was discarded.`, {
        label: 'Undo',
        onPress: () => void commands.undoDiscard(row.id).then(say),
      })
    else say(discarded)
  }
  const copyDetails = async () => {
    try {
      await navigator.clipboard.writeText(
        uploadDetails(row, navigator.userAgent, new Date(nowEpochMs)),
      )
      toasts.show('success', 'Details copied')
    } catch {
      toasts.show('error', 'The browser did not allow copying.')
    }
  }
  const isOffered = (action: UploadAction): boolean => {
    // Where uploads begin, the way to choose another file stands below.
    if (action === 'choose-another') return pathname !== paths.newUpload
    return action !== 'undo' || (undoUntilEpochMs !== null && nowEpochMs < undoUntilEpochMs)
  }
  const run = (action: UploadAction): void => {
    wasPressed.current = true
    switch (action) {
      case 'pause':
        return void commands.pause(row.id).then(say)
      case 'resume':
        return void commands.resume(row.id).then(say)
      case 'retry-now':
        return void commands.retryNow(row.id).then(say)
      case 'allow':
        return void commands.continueWithPermission(row.id).then(say)
      case 'start-over':
        return void commands.startOver(row.id).then(say)
      case 'sign-in':
        return void commands.signedIn()
      case 'choose-again':
      case 'choose-original':
        return void chooseAgain()
      case 'choose-another':
        return void navigate(paths.newUpload)
      case 'copy-details':
        return void copyDetails()
      case 'undo':
        return void commands.undoDiscard(row.id).then(say)
      case 'dismiss':
        return void commands.discard(row.id).then(say)
      case 'discard':
        return void discard()
    }
  }
  return (
    <div ref={group} className="flex flex-wrap gap-2">
      {uploadActions(row.state)
        .filter(isOffered)
        .map((action, index) => (
          <Button
            key={action}
            size="small"
            variant={
              index === 0 && isMainShown && !MINOR.has(action)
                ? 'primary'
                : action === 'discard'
                  ? 'quiet'
                  : 'secondary'
            }
            onPress={() => run(action)}
            label={`${TEXT[action]}: ${row.file.name}`}
          >
            {TEXT[action]}
          </Button>
        ))}
      <input
        ref={input}
        type="file"
        accept={VIDEO_ACCEPT}
        tabIndex={-1}
        aria-hidden
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void give(file, null)
        }}
      />
    </div>
  )
}
