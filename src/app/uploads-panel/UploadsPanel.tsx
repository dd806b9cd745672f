import { X } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { LeaveWarning } from './LeaveWarning.tsx'
import { isOrdering, panelUpload } from './panel-upload.ts'
import { isRunning } from '#src/components/upload-actions.ts'
import { UploadControls } from '#src/components/UploadControls.tsx'
import { UploadPoster } from '#src/components/UploadPoster.tsx'
import { UploadProgress } from '#src/components/UploadProgress.tsx'
import { paths } from '#src/config/paths.ts'
import { useUploads } from '#src/hooks/use-uploads.ts'
import { uploadPercent } from '#src/local/uploads/labels.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** The floating card of the running upload (UPL-06): follows while one moves around, can be dismissed when all is sent. */
export function UploadsPanel() {
  const { pathname } = useLocation()
  const uploads = useUploads()
  const [dismissedIds, setDismissedIds] = useState<readonly string[]>([])
  const [seenIds, setSeenIds] = useState<readonly string[]>([])
  const running = (uploads ?? []).filter((row) => isRunning(row.state)).map((row) => row.id)
  // A finished card is for uploads that were seen running; old receipts say nothing new.
  if (running.some((id) => !seenIds.includes(id))) setSeenIds([...seenIds, ...running.filter((id) => !seenIds.includes(id))])
  const row = panelUpload(uploads ?? [], pathname, seenIds, dismissedIds)
  return (
    <>
      <LeaveWarning />
      <TabProgress uploads={uploads ?? []} pathname={pathname} />
      {row === null ? null : (
        <>
          {/* Room below, so that nothing of a screen stays under the card. */}
          <div aria-hidden className="h-44 shrink-0" />
          <PanelCard row={row} isOrdered={isOrdering(pathname)} onDismiss={() => setDismissedIds([...dismissedIds, row.id])} />
        </>
      )}
    </>
  )
}

function PanelCard({ row, isOrdered, onDismiss }: { readonly row: UploadRow; readonly isOrdered: boolean; readonly onDismiss: () => void }) {
  const isDone = row.state.kind === 'done'
  return (
    <aside aria-label="Upload" className="fixed inset-x-3 bottom-3 z-30 animate-rise rounded-card border border-line bg-surface-raised p-4 shadow-3 sm:right-auto sm:bottom-6 sm:left-6 sm:w-88">
      <div className="flex items-start gap-3">
        <UploadPoster uploadId={row.id} />
        <div className="min-w-0 flex-1"><UploadProgress row={row} isCompact /></div>
        {isDone ? <IconButton label="Dismiss" icon={<X aria-hidden />} onPress={onDismiss} className="-mt-2 -mr-2" /> : null}
      </div>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {isDone ? null : <UploadControls row={row} isMainShown={false} />}
        {row.uploadRequestId === null || isOrdered ? null : <LinkButton to={paths.newMediaJob(row.uploadRequestId)} variant="secondary" size="small">Choose edits</LinkButton>}
      </div>
    </aside>
  )
}

/** The percentage in the title of the tab, for people who look elsewhere meanwhile. */
function TabProgress({ uploads, pathname }: { readonly uploads: readonly UploadRow[]; readonly pathname: string }) {
  const row = uploads.find((candidate) => isRunning(candidate.state))
  // The newest title counts; the key puts this one after the screen's own at each address.
  return row === undefined ? null : <title key={pathname}>{`${uploadPercent(row)}% · Onecut`}</title>
}
