import { CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'
import { SaveToDriveDialog, type SavableJob } from './SaveToDriveDialog.tsx'
import { savableTasks } from './drive-save-words.ts'

/**
 * The way of finished edits to a connected drive. Nothing while there is no file, and nothing on a
 * server without keys of Google: the menu of the card and the integrations say why.
 */
export function SaveToDrive({
  job,
  isOnline,
}: {
  readonly job: SavableJob
  readonly isOnline: boolean
}) {
  const areas = useCapabilities().data?.areas
  const [isOpen, setOpen] = useState(false)
  if (areas?.externalAuths !== true || savableTasks(job.tasks).length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button variant="secondary" onPress={() => setOpen(true)} isDisabled={!isOnline}>
        <CloudUpload aria-hidden className="size-4.5" />
        Save to Google Drive
      </Button>
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can save them when you are online.</p>
      )}
      <SaveToDriveDialog job={job} isOpen={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}
