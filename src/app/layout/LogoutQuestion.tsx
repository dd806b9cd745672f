import { removedByLogoutWords } from '#src/components/made/make-words.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

export interface LogoutQuestionProps {
  /** Of the uploads that have not arrived yet, newest first. */
  readonly fileNames: readonly string[]
  /** Of the edits that only this device has. */
  readonly madeCount: number
  /** How many finished files this device keeps. */
  readonly keptCount: number
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onLogOut: () => void
  readonly onClose: () => void
}

/** Asked before a log-out that gives something up: nothing brings it back. */
export function LogoutQuestion({
  fileNames,
  madeCount,
  keptCount,
  isOpen,
  isBusy,
  onLogOut,
  onClose,
}: LogoutQuestionProps) {
  return (
    <QuestionDialog
      title={titleOf(fileNames.length, madeCount)}
      isOpen={isOpen}
      isPending={isBusy}
      keepWords="Stay logged in"
      actWords="Log out"
      isDanger
      onAct={onLogOut}
      onClose={onClose}
    >
      {fileNames.length === 0 ? null : <p className="wrap-break-word">{uploadWords(fileNames)}</p>}
      {madeCount === 0 ? null : (
        <p className="mt-2 first:mt-0">{removedByLogoutWords(madeCount)}</p>
      )}
      {keptCount === 0 ? null : (
        <p className="mt-2 first:mt-0">
          {keptCount === 1 ? 'The file' : `The ${keptCount} files`} that this device keeps of your
          finished edits {keptCount === 1 ? 'goes' : 'go'} from it too.
        </p>
      )}
    </QuestionDialog>
  )
}

function titleOf(uploads: number, made: number): string {
  if (uploads > 0) return `Log out and discard the ${uploads === 1 ? 'upload' : 'uploads'}?`
  return `Log out and remove the ${made === 1 ? 'edit' : 'edits'} of this device?`
}

function uploadWords(fileNames: readonly string[]): string {
  const [first] = fileNames
  return first !== undefined && fileNames.length === 1
    ? `${first} is not fully uploaded. If you log out, this upload is discarded and has to start over.`
    : `${fileNames.length} uploads are not finished. If you log out, they are discarded and have to start over.`
}
