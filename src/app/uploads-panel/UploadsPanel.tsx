import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocation } from 'react-router'
import { LeaveWarning } from './LeaveWarning.tsx'
import { OrderedFirst } from './OrderedFirst.tsx'
import { firstInLine, isChoosing, isOrdering, panelUpload } from './panel-upload.ts'
import { isRunning, isUnfinished } from '#src/local/db/upload-states.ts'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { NextStepLink } from '#src/components/uploads/NextStepLink.tsx'
import { UploadPoster } from '#src/components/uploads/UploadPoster.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { paths } from '#src/config/paths.ts'
import { useUploadJob } from '#src/hooks/edits/use-media-job.ts'
import { useUploads } from '#src/hooks/uploads/use-uploads.ts'
import { uploadPercent } from '#src/local/uploads/page/labels.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { classNames } from '#src/ui/class-names.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'

/**
 * The floating card of the running upload (UPL-06): follows while one moves around, is small where
 * there is little room, can be dismissed when all is sent.
 */
export function UploadsPanel() {
  const { pathname } = useLocation()
  const uploads = useUploads()
  const [dismissedIds, setDismissedIds] = useState<readonly string[]>([])
  const [seenIds, setSeenIds] = useState<readonly string[]>([])
  const running = (uploads ?? []).filter((row) => isRunning(row.state.kind)).map((row) => row.id)
  // A finished card is for uploads that were seen running; old receipts say nothing new.
  if (running.some((id) => !seenIds.includes(id)))
    setSeenIds([...seenIds, ...running.filter((id) => !seenIds.includes(id))])
  const row = panelUpload(uploads ?? [], pathname, seenIds, dismissedIds)
  return (
    <>
      <LeaveWarning />
      <OrderedFirst uploads={uploads ?? []} />
      <TabProgress uploads={uploads ?? []} pathname={pathname} />
      {row === null ? null : (
        <PanelCard
          row={row}
          isOneOfMany={(uploads ?? []).filter(({ state }) => isUnfinished(state.kind)).length > 1}
          pathname={pathname}
          onDismiss={() => setDismissedIds([...dismissedIds, row.id])}
        />
      )}
    </>
  )
}

interface PanelCardProps {
  readonly row: UploadRow
  /** More are unfinished. */ readonly isOneOfMany: boolean
  readonly pathname: string
  readonly onDismiss: () => void
}

function PanelCard({ row, isOneOfMany, pathname, onDismiss }: PanelCardProps) {
  const isNarrow = useIsNarrow()
  const [isOpenWanted, setIsOpenWanted] = useState<boolean | null>(null)
  const detailsId = useId()
  const isDone = row.state.kind === 'done'
  const job = useUploadJob(row.uploadRequestId ?? '')
  const isBesideSubmit = isChoosing(pathname)
  // Small where it would cover what one is busy with; never in the way of the button that goes on.
  const isOpen = isDone || (isOpenWanted ?? !(isNarrow || isBesideSubmit))
  const isOrdered = job.kind === 'ready' && job.value !== null && job.value.orderId !== null
  // 'Ready for editing' is no news of a video whose edits are ordered.
  if (isDone && (job.kind === 'loading' || isOrdered)) return null
  return (
    <>
      {/* Room below, so that nothing of a screen stays under the card. */}
      <div aria-hidden className={classNames('shrink-0', isOpen ? 'h-56' : 'h-28')} />
      <aside
        aria-label="Upload"
        className={classNames(
          // Above a bar at the lower edge, and under it where that rises, at the end of a screen.
          'fixed inset-x-3 bottom-[max(0.75rem,var(--bar-room,0px))] z-10 animate-rise rounded-card border border-line bg-surface-raised shadow-3 sm:right-auto sm:bottom-[max(1.5rem,var(--bar-room,0px))] sm:left-6 sm:w-104',
          isOpen ? 'p-4' : 'py-2 pr-2 pl-4',
        )}
      >
        <div className={classNames('flex gap-3', isOpen ? 'items-start' : 'items-center')}>
          {isOpen && !isNarrow ? <UploadPoster uploadId={row.id} name={row.file.name} /> : null}
          <div id={detailsId} className="min-w-0 flex-1">
            <UploadProgress row={row} isCompact isBarOnly={!isOpen} />
          </div>
          {isDone ? (
            <IconButton
              label="Dismiss"
              icon={<X aria-hidden />}
              onPress={onDismiss}
              className="-mt-2 -mr-2"
            />
          ) : (
            <FoldButton
              isOpen={isOpen}
              detailsId={detailsId}
              onPress={() => setIsOpenWanted(!isOpen)}
            />
          )}
        </div>
        {isOpen ? <PanelActions row={row} isOneOfMany={isOneOfMany} pathname={pathname} /> : null}
      </aside>
    </>
  )
}

interface FoldButtonProps {
  readonly isOpen: boolean
  readonly detailsId: string
  readonly onPress: () => void
}

function FoldButton({ isOpen, detailsId, onPress }: FoldButtonProps) {
  return (
    <IconButton
      label={isOpen ? 'Show less of the upload' : 'Show more of the upload'}
      icon={isOpen ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
      onPress={onPress}
      isExpanded={isOpen}
      controls={detailsId}
      className={isOpen ? '-mt-2 -mr-2' : ''}
    />
  )
}

/** The upload's controls and the ways on from here. */
function PanelActions({ row, isOneOfMany, pathname }: Omit<PanelCardProps, 'onDismiss'>) {
  return (
    <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
      {row.state.kind === 'done' ? null : <UploadControls row={row} isMainShown={false} />}
      {isOrdering(pathname) ? null : <NextStepLink row={row} />}
      {isOneOfMany ? (
        <LinkButton to={paths.newUpload} variant="quiet" size="small">
          All uploads
        </LinkButton>
      ) : null}
    </div>
  )
}

/** The percentage in the title of the tab, for people who look elsewhere meanwhile. */
function TabProgress({
  uploads,
  pathname,
}: {
  readonly uploads: readonly UploadRow[]
  readonly pathname: string
}) {
  const row = firstInLine(uploads.filter((candidate) => isRunning(candidate.state.kind)))
  // The newest title counts; the key puts this one after the screen's own at each address.
  return row === null ? null : <title key={pathname}>{`${uploadPercent(row)}% · Onecut`}</title>
}
