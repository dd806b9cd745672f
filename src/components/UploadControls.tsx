import { useRef } from 'react'
import { useUploadCommands } from '#src/hooks/use-upload-commands.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { CommandResult } from '#src/local/uploads/api.ts'
import { Button } from '#src/ui/Button.tsx'
import { openPicker } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { commandFailureText } from './problem/upload-copy.ts'
import { uploadActions, type UploadAction } from './upload-actions.ts'
import { VIDEO_ACCEPT, VIDEO_PICKER_TYPES } from './video-types.ts'

const TEXT: Readonly<Record<UploadAction, string>> = {
  pause: 'Pause', resume: 'Resume', 'retry-now': 'Retry now', 'choose-again': 'Choose the file again', allow: 'Allow reading', 'start-over': 'Start over',
  discard: 'Discard', dismiss: 'Dismiss',
}
/** The buttons of one upload: pause, resume, retry, choose again, discard (with a way back). */
export function UploadControls({ row, isMainShown = true }: { readonly row: UploadRow; readonly isMainShown?: boolean }) {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const input = useRef<HTMLInputElement>(null)
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
    if (discarded.ok) toasts.show('default', `${row.file.name} was discarded.`, { label: 'Undo', onPress: () => void commands.undoDiscard(row.id).then(say) })
    else say(discarded)
  }
  const run = (action: UploadAction): void => {
    switch (action) {
      case 'pause': return void commands.pause(row.id).then(say)
      case 'resume': return void commands.resume(row.id).then(say)
      case 'retry-now': return void commands.retryNow(row.id).then(say)
      case 'allow': return void commands.continueWithPermission(row.id).then(say)
      case 'start-over': return void commands.startOver(row.id).then(say)
      case 'choose-again': return void chooseAgain()
      case 'dismiss': return void commands.discard(row.id).then(say)
      case 'discard': return void discard()
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {uploadActions(row.state).map((action, index) => (
        <Button
          key={action}
          size="small"
          variant={index === 0 && isMainShown && action !== 'pause' && action !== 'discard' && action !== 'dismiss' ? 'primary' : action === 'discard' ? 'quiet' : 'secondary'}
          onPress={() => run(action)}
          label={`${TEXT[action]}: ${row.file.name}`}
        >
          {TEXT[action]}
        </Button>
      ))}
      <input
        ref={input} type="file" accept={VIDEO_ACCEPT} tabIndex={-1} aria-hidden className="sr-only"
        onChange={(event) => { const file = event.target.files?.[0]; event.target.value = ''; if (file !== undefined) void give(file, null) }}
      />
    </div>
  )
}
