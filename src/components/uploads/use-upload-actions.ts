import { useNavigate } from 'react-router'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { CommandResult } from '#src/local/uploads/api.ts'
import { openPicker } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { uploadDetails } from '#src/components/upload-words/details.ts'
import type { UploadAction } from '#src/components/upload-words/actions.ts'
import { commandFailureText } from '#src/components/upload-words/failure-copy.ts'
import { FILE_KINDS } from './file-kinds.ts'

export interface UploadActions {
  /** Does what a button says; a failure is shown as a toast. */
  readonly run: (action: UploadAction) => void
  /** Hands the upload the file it asks for. */
  readonly give: (file: File, handle: FileSystemFileHandle | null) => Promise<void>
}

/**
 * What the buttons of one upload do.
 * @param openInput opens the file input, for browsers without a picker of their own
 */
export function useUploadActions(row: UploadRow, openInput: () => void): UploadActions {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const outbox = useOutboxActions()
  const navigate = useNavigate()
  const report = (result: CommandResult) => {
    const words = result.ok ? null : commandFailureText(result.error.code)
    if (words !== null) toasts.show('error', words)
  }
  const give = async (file: File, handle: FileSystemFileHandle | null) => {
    report(await commands.provideFile(row.id, file, handle))
  }
  const chooseAgain = async () => {
    const chosen = await openPicker(FILE_KINDS[row.purpose].pickerTypes, false)
    if (chosen === null) openInput()
    else if (chosen[0] !== undefined) await give(chosen[0].file, chosen[0].handle)
  }
  const undo = () => void commands.undoDiscard(row.id).then(report)
  const discard = async () => {
    const discarded = await commands.discard(row.id)
    if (!discarded.ok) return report(discarded)
    toasts.show('default', `${row.file.name} was discarded.`, { label: 'Undo', onPress: undo })
  }
  // A video stays at the server when its receipt is dismissed; nothing else would show an asset.
  const discardArrived = async () => {
    const id = await outbox?.abortUpload(row.uploadRequestId ?? '')
    if (id === undefined) return
    const keep = () => void outbox?.discard(id)
    toasts.show('default', `${row.file.name} was discarded.`, { label: 'Undo', onPress: keep })
  }
  const copyDetails = async () => {
    try {
      await navigator.clipboard.writeText(uploadDetails(row, navigator.userAgent, new Date()))
      toasts.show('success', 'Details copied')
    } catch {
      toasts.show('error', 'The browser did not allow copying.')
    }
  }
  const runs: Readonly<Record<UploadAction, () => void>> = {
    pause: () => void commands.pause(row.id).then(report),
    resume: () => void commands.resume(row.id).then(report),
    'hand-over': () => void commands.handOver(row.id).then(report),
    'retry-now': () => void commands.retryNow(row.id).then(report),
    allow: () => void commands.continueWithPermission(row.id).then(report),
    'start-over': () => void commands.startOver(row.id).then(report),
    'sign-in': () => void commands.signedIn(),
    'choose-again': () => void chooseAgain(),
    'choose-original': () => void chooseAgain(),
    'choose-another': () => void navigate(FILE_KINDS[row.purpose].choosePath),
    'copy-details': () => void copyDetails(),
    undo,
    dismiss: () =>
      void (row.purpose === 'media-asset'
        ? discardArrived()
        : commands.discard(row.id).then(report)),
    discard: () => void discard(),
  }
  return { run: (action) => runs[action](), give }
}
