import { memo } from 'react'
import { JobThumbnail } from '#src/components/jobs/JobThumbnail.tsx'
import { dateTimeWords, dateWords, minuteWords } from '#src/lib/time-words.ts'
import { videoLengthWords } from '#src/components/upload-words/trim-words.ts'
import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { useKnownJob } from '#src/hooks/edits/use-media-job.ts'
import type { LibraryEntry, MediaJob } from '#src/hooks/edits/use-library.ts'
import { useHiddenScenes } from '#src/hooks/edits/use-hidden-scenes.ts'
import { useOutboxActions, type WaitingName } from '#src/hooks/sync/use-outbox.ts'
import { truncate } from '#src/lib/text.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import type { LibraryVideo } from './arrange-library.ts'
import { CardMenu } from './CardMenu.tsx'
import { HELD_WORDS, HeldCard } from './HeldCard.tsx'
import { EVERYTHING, writeLibraryAddress } from './library-address.ts'
import { OrderDetails, OrderSummary } from './OrderSummary.tsx'

export interface EditCardProps {
  readonly video: LibraryVideo
  readonly isOnline: boolean
  /** Ids of jobs that the library's own pulls keep fresh; null while any may be one. */
  readonly pulledIds: ReadonlySet<string> | null
  /** Another video on this device has the same name: the time tells the two apart. */
  readonly isNameShared: boolean
  /** A new name that the server does not have yet, as `video` shows it already. */
  readonly waitingName: WaitingName | null
  /** Ids of the jobs whose edits are shown, and of the videos whose older orders are. */
  readonly expandedIds: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

/** So many orders of one video are shown at once; older ones follow on demand. */
const ORDERS_AT_ONCE = 3

/**
 * One video of the library with its orders: how far their edits are, and on demand each edit with
 * its results (EDT-01). Its name is there at once, and the rest follows from this device.
 * Scrolling renders the list again, and not the cards that stay.
 */
export const EditCard = memo(function EditCard(props: EditCardProps) {
  const { video, isOnline } = props
  const [newest] = video.orders
  const job = useCardJob(newest, props)
  if (job?.isHeld === true) return <HeldCard job={job} />
  const isSingle = video.orders.length === 1 && video.hiddenCount === 0
  const detailsId = `edits-of-${newest._id}`
  const isExpanded = props.expandedIds.has(newest._id)
  return (
    <Card isFlush className="overflow-hidden">
      <div className="grid gap-4 p-4 sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-6 sm:p-5">
        <JobThumbnail
          mediaJobId={newest._id}
          name={video.name}
          className="rounded-control"
          iconClassName="size-8"
        />
        <div className="flex min-w-0 flex-col gap-3">
          <VideoHead {...props} job={job} isSingle={isSingle} />
          {isSingle ? (
            <OrderSummary
              job={job}
              facts={[
                dateOf(newest, props.isNameShared),
                job === null ? null : videoLengthWords(job),
              ]}
              label={labelOf(video, props.isNameShared)}
              {...{ isOnline, detailsId, isExpanded }}
              onToggle={props.onToggle}
            />
          ) : null}
        </div>
      </div>
      {isSingle ? (
        <OrderDetails id={detailsId} job={job} {...{ isOnline, isExpanded }} />
      ) : (
        <Orders {...props} />
      )}
    </Card>
  )
})

/** The whole job of an order as this device has it; null until it is read. */
function useCardJob(
  entry: LibraryEntry,
  { pulledIds, expandedIds }: Pick<EditCardProps, 'pulledIds' | 'expandedIds'>,
): MediaJob | null {
  const mayChange = entry.state === 'unstarted' || entry.state === 'in-progress'
  const isPulled = pulledIds === null || pulledIds.has(entry._id)
  const known = useKnownJob(entry._id, {
    isPulled: !isPulled && (mayChange || expandedIds.has(entry._id)),
  })
  return known.kind === 'ready' ? known.value : null
}

/** The name of the video, what can be done with it, and what its orders have in common. */
function VideoHead({
  video,
  job,
  isSingle,
  isOnline,
  isNameShared,
  waitingName,
}: EditCardProps & { readonly job: MediaJob | null; readonly isSingle: boolean }) {
  const count = video.orders.length + video.hiddenCount
  const isHidden = useHiddenScenes()?.isHidden(video.uploadRequestId) ?? false
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-2">
        <h2
          title={video.name}
          className="min-w-0 flex-1 pt-2 text-lg leading-snug font-semibold wrap-break-word"
        >
          {truncate(video.name, JOB_NAME_MAX_CHARACTERS)}
        </h2>
        {isHidden ? <Badge className="mt-2.5">Hidden</Badge> : null}
        {job === null ? null : (
          <CardMenu
            video={video}
            job={job}
            label={labelOf(video, isNameShared)}
            isOnline={isOnline}
            isSingle={isSingle}
          />
        )}
      </div>
      {isSingle || job === null ? null : (
        <p className="-mt-2 text-sm text-ink-muted tabular-nums">
          {[videoLengthWords(job), count === 1 ? '1 order' : `${count} orders`]
            .filter((fact) => fact !== null)
            .join(' · ')}
        </p>
      )}
      {waitingName === null ? null : <NameNotice waitingName={waitingName} isOnline={isOnline} />}
    </>
  )
}

/** The orders of one video below each other, each with its state and its edits. */
function Orders(props: EditCardProps) {
  const { video, expandedIds, onToggle } = props
  const { uploadRequestId, orders, hiddenCount } = video
  const isOpen = expandedIds.has(uploadRequestId)
  const older = orders.length - ORDERS_AT_ONCE
  return (
    <>
      <ul aria-label={`Orders of ${labelOf(video, props.isNameShared)}`}>
        {(isOpen ? orders : orders.slice(0, ORDERS_AT_ONCE)).map((entry) => (
          <Order key={entry._id} entry={entry} {...props} />
        ))}
      </ul>
      {older <= 0 && hiddenCount === 0 ? null : (
        <div className="flex flex-wrap gap-2 border-t border-line p-4 sm:px-5">
          {older <= 0 ? null : (
            <Button variant="quiet" size="small" onPress={() => onToggle(uploadRequestId)}>
              {isOpen
                ? 'Hide older orders'
                : `Show ${older} older ${older === 1 ? 'order' : 'orders'}`}
            </Button>
          )}
          {hiddenCount === 0 ? null : (
            <LinkButton to={ordersPath(uploadRequestId)} variant="quiet" size="small">
              {`Show all ${orders.length + hiddenCount} orders of this video`}
            </LinkButton>
          )}
        </div>
      )}
    </>
  )
}

function Order({ entry, ...props }: EditCardProps & { readonly entry: LibraryEntry }) {
  const { video, isOnline, expandedIds, onToggle } = props
  const job = useCardJob(entry, props)
  const detailsId = `edits-of-${entry._id}`
  const isExpanded = expandedIds.has(entry._id)
  const date = dateOf(entry, true)
  const isHeld = job?.isHeld === true
  return (
    <li className="border-t border-line">
      <div className="flex flex-col gap-3 p-4 sm:px-5">
        {isHeld ? (
          <p>{HELD_WORDS}</p>
        ) : (
          <OrderSummary
            job={job}
            facts={[minuteWords(Date.parse(entry.createdAt))]}
            label={`${truncate(video.name, JOB_NAME_MAX_CHARACTERS)}, ${date}`}
            {...{ isOnline, detailsId, isExpanded, onToggle }}
          />
        )}
      </div>
      <OrderDetails id={detailsId} job={isHeld ? null : job} {...{ isOnline, isExpanded }} />
    </li>
  )
}

/** That a new name waits for the server, or that the server refused it. */
function NameNotice({
  waitingName: { outboxId, isRefused },
  isOnline,
}: {
  readonly waitingName: WaitingName
  readonly isOnline: boolean
}) {
  const outbox = useOutboxActions()
  if (!isRefused)
    return isOnline ? null : (
      <p className="text-sm text-ink-muted">
        The new name is on this device. The server gets it when you are online.
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p role="alert">The server did not take the new name.</p>
      <Button variant="secondary" size="small" onPress={() => void outbox?.retry(outboxId)}>
        Try again
      </Button>
      <Button variant="secondary" size="small" onPress={() => void outbox?.discard(outboxId)}>
        Keep the old name
      </Button>
    </div>
  )
}

/** As a video is told from others, also of the same name. */
function labelOf({ name, orders }: LibraryVideo, isNameShared: boolean): string {
  const short = truncate(name, JOB_NAME_MAX_CHARACTERS)
  return isNameShared ? `${short}, ${dateOf(orders[0], true)}` : short
}

function dateOf({ createdAt }: LibraryEntry, hasTime: boolean): string {
  const madeAtEpochMs = Date.parse(createdAt)
  return hasTime ? dateTimeWords(madeAtEpochMs) : dateWords(madeAtEpochMs)
}

function ordersPath(uploadRequestId: string): string {
  return `${paths.edits}?${writeLibraryAddress({ ...EVERYTHING, video: uploadRequestId }).toString()}`
}
