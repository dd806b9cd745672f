import { Download } from 'lucide-react'
import { memo } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { singleFiles } from '#recipes/single-files.ts'
import { choicePath, redoneTaskId } from '#src/local/edits/redo.ts'
import { isInWork, jobState, type JobState } from '#src/local/db/job-state.ts'
import { Filmstrip } from '#src/components/Filmstrip.tsx'
import { JobThumbnail } from '#src/components/JobThumbnail.tsx'
import { JobProgress } from '#src/components/JobProgress.tsx'
import { isReviewDue } from '#src/components/task-words.ts'
import { TaskList } from '#src/components/TaskList.tsx'
import { dateTimeWords, dateWords, lengthWords } from '#src/components/time-words.ts'
import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { env } from '#src/config/env.ts'
import { API_BASE, faceReviewPath, paths } from '#src/config/paths.ts'
import { useKnownJob } from '#src/hooks/use-media-job.ts'
import type { LibraryEntry, MediaJob } from '#src/hooks/use-library.ts'
import { useKnownOrder } from '#src/hooks/use-known-order.ts'
import { useOutboxActions, type WaitingName } from '#src/hooks/use-outbox.ts'
import { useNow } from '#src/hooks/use-now.ts'
import { useUploadByRequestId } from '#src/hooks/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { truncate } from '#src/lib/text.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { CardMenu } from './CardMenu.tsx'

import { HeldCard } from './HeldCard.tsx'

export interface EditCardProps {
  readonly entry: LibraryEntry
  readonly isOnline: boolean
  /** The library's own pulls keep the job fresh. */
  readonly isPulled: boolean
  /**
   * Another job on this device has the same name, because a video can be ordered again: the time
   * tells the two apart.
   */
  readonly isNameShared: boolean
  /** This device has other edits of the same video. */
  readonly hasSiblings: boolean
  /** A new name that the server does not have yet, as `entry` shows it already. */
  readonly waitingName: WaitingName | null
  readonly isExpanded: boolean
  readonly onToggle: (mediaJobId: string) => void
}

/**
 * One video of the library with its edits: how far they are, and on demand each edit with its
 * results (EDT-01). Its name is there at once, and the rest follows from this device. Scrolling
 * renders the list again, and not the cards that stay.
 */
export const EditCard = memo(function EditCard(props: EditCardProps) {
  const { entry, isPulled, isExpanded } = props
  const mayChange = entry.state === 'unstarted' || entry.state === 'in-progress'
  const known = useKnownJob(entry._id, { isPulled: !isPulled && (mayChange || isExpanded) })
  const job = known.kind === 'ready' ? known.value : null
  if (job?.isHeld === true) return <HeldCard job={job} />
  const name = truncate(entry.name, JOB_NAME_MAX_CHARACTERS)
  const detailsId = `edits-of-${entry._id}`
  return (
    <Card isFlush className="overflow-hidden">
      <div className="grid gap-4 p-4 sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-6 sm:p-5">
        <JobThumbnail mediaJobId={entry._id} className="rounded-control" iconClassName="size-8" />
        <div className="flex min-w-0 flex-col gap-3">
          <h2
            title={entry.name}
            className="-mb-2 text-lg leading-snug font-semibold wrap-break-word"
          >
            {name}
          </h2>
          {job === null ? (
            <div className="h-24" />
          ) : (
            <Summary {...props} job={job} name={name} detailsId={detailsId} />
          )}
        </div>
      </div>
      <div
        id={detailsId}
        hidden={!isExpanded}
        className="border-t border-line bg-surface-sunken/50 p-4 sm:p-5"
      >
        {isExpanded && job !== null ? <Details job={job} isOnline={props.isOnline} /> : null}
      </div>
    </Card>
  )
})

function Summary({
  job,
  name,
  detailsId,
  entry,
  isOnline,
  isNameShared,
  hasSiblings,
  waitingName,
  isExpanded,
  onToggle,
}: EditCardProps & {
  readonly job: MediaJob
  readonly name: string
  readonly detailsId: string
}) {
  const known = useKnownOrder(job.orderId)
  const order = known.kind === 'ready' ? known.value : null
  const state = jobState(job, order)
  const nowEpochMs = useNow(isInWork(state) ? SECOND_MS : null)
  const date = dateOf(job, isNameShared)
  const label = isNameShared ? `${name}, ${date}` : name
  return (
    <>
      <div>
        <p className="text-sm text-ink-muted tabular-nums">{factsOf(job, date)}</p>
        <p className="mt-0.5 line-clamp-2 text-sm text-ink-muted">
          {job.tasks.map((task) => task.name).join(', ')}
        </p>
      </div>
      <JobProgress job={job} order={order} nowEpochMs={nowEpochMs} />
      {state.kind === 'failed' ? (
        <p className="text-sm text-ink-muted">{FAILURES[state.why]}</p>
      ) : null}
      {waitingName === null ? null : <NameNotice waitingName={waitingName} isOnline={isOnline} />}
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <NextStep job={job} state={state} />
        <NextReview job={job} name={label} />
        <ShowEdits
          isExpanded={isExpanded}
          controls={detailsId}
          name={label}
          onPress={() => onToggle(job._id)}
        />
        {isOnline ? <DownloadAll job={job} label={label} /> : null}
        <CardMenu
          entry={entry}
          job={job}
          label={label}
          isOnline={isOnline}
          hasSiblings={hasSiblings}
        />
      </div>
    </>
  )
}

/** All files of the job in one archive, each once; nothing where there is only one file. */
function DownloadAll({ job, label }: { readonly job: MediaJob; readonly label: string }) {
  const outputs = job.tasks.flatMap((task) => task.outputs)
  const files = singleFiles(outputs.filter((output) => output.kind === 'download-button'))
  if (files.length < 2) return null
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return (
    <a
      href={`${API_BASE}/v1/media-jobs/${job._id}/results`}
      download
      // On a phone in a row of its own, below the buttons and the menu.
      className={buttonLook('secondary', 'small', 'max-sm:order-last max-sm:w-full')}
    >
      <Download aria-hidden className="size-4" />
      Download all
      <span className="sr-only"> results of {label}</span>
      <span className="font-normal text-ink-muted">ZIP, {formatBytes(sizeBytes)}</span>
    </a>
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

const FAILURES: Readonly<Record<Extract<JobState, { kind: 'failed' }>['why'], string>> = {
  upload: 'This video could not be used. Anything you paid was returned to your wallet.',
  work: 'The tokens for failed edits were returned to your wallet.',
  cancelled: 'Anything you paid was returned to your wallet.',
}

function dateOf(job: MediaJob, isNameShared: boolean): string {
  const madeAtEpochMs = Date.parse(job.createdAt)
  return isNameShared ? dateTimeWords(madeAtEpochMs) : dateWords(madeAtEpochMs)
}

function factsOf(job: MediaJob, date: string): string {
  return [
    date,
    job.videoDuration === null ? null : lengthWords(job.videoDuration),
    `${job.tasks.length} ${job.tasks.length === 1 ? 'edit' : 'edits'}`,
  ]
    .filter((fact) => fact !== null)
    .join(' · ')
}

/** The way back to an order that was left before it was placed or paid. */
function NextStep({ job, state }: { readonly job: MediaJob; readonly state: JobState }) {
  if (state.kind !== 'unstarted') return null
  if (state.waitsFor === 'payment' && job.orderId !== null && env.paymentsEnabled)
    return (
      <LinkButton to={paths.uploadCheckout(job.orderId)} size="small">
        Finish payment
      </LinkButton>
    )
  return state.waitsFor === 'order' ? (
    <LinkButton to={choicePath(job.uploadRequestId, redoneTaskId(job))} size="small">
      Finish ordering
    </LinkButton>
  ) : null
}

/** The way to the first review that an edit of the job waits for. */
function NextReview({ job, name }: { readonly job: MediaJob; readonly name: string }) {
  const task = job.tasks.find(isReviewDue)
  return task === undefined ? null : (
    <LinkButton to={faceReviewPath(job._id, task._id)} size="small">
      Review faces<span className="sr-only"> of {name}</span>
    </LinkButton>
  )
}

function Details({ job, isOnline }: { readonly job: MediaJob; readonly isOnline: boolean }) {
  const upload = useUploadByRequestId(job.uploadRequestId)
  return (
    <>
      {upload?.id === undefined ? null : (
        <div className="mb-5 empty:hidden">
          <Filmstrip uploadId={upload.id} />
        </div>
      )}
      <TaskList job={job} isOnline={isOnline} />
    </>
  )
}

function ShowEdits({
  isExpanded,
  controls,
  name,
  onPress,
}: {
  readonly isExpanded: boolean
  readonly controls: string
  readonly name: string
  readonly onPress: () => void
}) {
  return (
    <AriaButton
      onPress={onPress}
      aria-expanded={isExpanded}
      aria-controls={controls}
      className={buttonLook('secondary', 'small')}
    >
      {isExpanded ? 'Hide Edits' : 'Show Edits'}
      <span className="sr-only"> of {name}</span>
    </AriaButton>
  )
}
