import { CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'
import { NoDrive } from './NoDrive.tsx'
import { SaveToDriveDialog, type SavableJob } from './SaveToDriveDialog.tsx'
import { savableTasks } from './drive-save-words.ts'

const LABEL = 'Save to Google Drive'

/** The way of finished edits to a connected drive; nothing while there is no file. */
export function SaveToDrive({
  job,
  isOnline,
}: {
  readonly job: SavableJob
  readonly isOnline: boolean
}) {
  const areas = useCapabilities().data?.areas
  const [isOpen, setOpen] = useState(false)
  if (areas === undefined || savableTasks(job.tasks).length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      {areas.externalAuths ? (
        <Button variant="secondary" onPress={() => setOpen(true)} isDisabled={!isOnline}>
          <CloudUpload aria-hidden className="size-4.5" />
          {LABEL}
        </Button>
      ) : (
        <NoDrive label={LABEL} instead="You can download the edits to this device." />
      )}
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can save them when you are online.</p>
      )}
      <SaveToDriveDialog job={job} isOpen={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}
