import type { SaveWay } from './use-save-ways.ts'
import { SaveToDriveDialog, type SavableJob } from './SaveToDriveDialog.tsx'
import { SaveToDropboxDialog } from './SaveToDropboxDialog.tsx'

/** What saves the finished edits of a job to the cloud that was pressed; null before a press. */
export function SaveDialogs({
  job,
  way,
  onClose,
}: {
  readonly job: SavableJob
  readonly way: SaveWay | null
  readonly onClose: () => void
}) {
  return (
    <>
      <SaveToDriveDialog job={job} isOpen={way === 'drive'} onClose={onClose} />
      <SaveToDropboxDialog job={job} isOpen={way === 'dropbox'} onClose={onClose} />
    </>
  )
}
