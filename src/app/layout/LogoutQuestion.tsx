import { removedByLogoutWords } from '#src/components/made/make-words.ts'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import type { Logout } from './use-logout.ts'

/** Asked before a log-out that gives something up: nothing brings it back. */
export function LogoutQuestion({ logout }: { readonly logout: Logout }) {
  const { unfinished: fileNames, madeCount, keptCount } = logout
  return (
    <QuestionDialog
      title={titleOf(fileNames.length, madeCount)}
      isOpen={logout.isAsking}
      isPending={logout.isBusy}
      keepWords="Stay logged in"
      actWords="Log out"
      isDanger
      onAct={logout.confirm}
      onClose={logout.cancel}
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
