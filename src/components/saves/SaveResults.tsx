import { CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { SAVE_LABELS, useSaveWays, type SaveWay } from './use-save-ways.ts'
import { Button } from '#src/ui/Button.tsx'
import type { SavableJob } from './SaveToDriveDialog.tsx'
import { savableTasks } from './drive-save-words.ts'
import { SaveDialogs } from './SaveDialogs.tsx'

/**
 * The ways of finished edits to clouds. Nothing while there is no file, and none for a cloud that
 * this server has no keys of: of Google, the menu of the card and the integrations say so.
 */
export function SaveResults({
  job,
  isOnline,
}: {
  readonly job: SavableJob
  readonly isOnline: boolean
}) {
  const ways = useSaveWays()
  const [open, setOpen] = useState<SaveWay | null>(null)
  if (ways.length === 0 || savableTasks(job.tasks).length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      {ways.map((way) => (
        <Button key={way} variant="secondary" onPress={() => setOpen(way)} isDisabled={!isOnline}>
          <CloudUpload aria-hidden className="size-4.5" />
          {SAVE_LABELS[way]}
        </Button>
      ))}
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can save them when you are online.</p>
      )}
      <SaveDialogs job={job} way={open} onClose={() => setOpen(null)} />
    </div>
  )
}
