import { Film } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { BlobImage } from '#src/components/BlobImage.tsx'
import { isInWork, jobState, type JobState } from '#src/components/job-state.ts'
import { Filmstrip } from '#src/components/Filmstrip.tsx'
import { JobProgress } from '#src/components/JobProgress.tsx'
import { RetryTask } from '#src/components/RetryTask.tsx'
import { TaskList } from '#src/components/TaskList.tsx'
import { dateTimeWords, dateWords, lengthWords } from '#src/components/time-words.ts'
import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useJobThumbnail } from '#src/hooks/use-media-job.ts'
import type { MediaJob } from '#src/hooks/use-media-jobs.ts'
import { useKnownOrder } from '#src/hooks/use-known-order.ts'
import { useNow } from '#src/hooks/use-now.ts'
import { useUploadByRequestId } from '#src/hooks/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { truncate } from '#src/lib/text.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

export interface EditCardProps {
  readonly job: MediaJob
  readonly isOnline: boolean
  /**
   * Another job on the screen has the same name, because a video can be ordered again: the time
   * tells the two apart.
   */
  readonly isNameShared: boolean
}

/**
 * One video of the library with its edits: how far they are, and on demand each edit with its
 * results (EDT-01).
 */
export function EditCard({ job, isOnline, isNameShared }: EditCardProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const known = useKnownOrder(job.orderId)
  const order = known.kind === 'ready' ? known.value : null
  const state = jobState(job, order)
  const nowEpochMs = useNow(isInWork(state) ? SECOND_MS : null)
  const name = truncate(job.name, JOB_NAME_MAX_CHARACTERS)
  const detailsId = `edits-of-${job._id}`
  const date = dateOf(job, isNameShared)
  return (
    <Card as="li" isFlush className="overflow-hidden">
      <div className="grid gap-4 p-4 sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-6 sm:p-5">
        <Thumbnail mediaJobId={job._id} />
        <div className="flex min-w-0 flex-col gap-3">
          <div>
            <h2 title={job.name} className="text-lg leading-snug font-semibold wrap-break-word">
              {name}
            </h2>
            <p className="mt-0.5 text-sm text-ink-muted tabular-nums">{factsOf(job, date)}</p>
            <p className="mt-0.5 line-clamp-2 text-sm text-ink-muted">
              {job.tasks.map((task) => task.name).join(', ')}
            </p>
          </div>
          <JobProgress job={job} order={order} nowEpochMs={nowEpochMs} />
          {state.kind === 'failed' ? (
            <p className="text-sm text-ink-muted">{FAILURES[state.why]}</p>
          ) : null}
          <div className="mt-auto flex flex-wrap gap-2">
            <NextStep job={job} state={state} />
            <ShowEdits
              isExpanded={isExpanded}
              controls={detailsId}
              name={isNameShared ? `${name}, ${date}` : name}
              onPress={() => setIsExpanded(!isExpanded)}
            />
          </div>
        </div>
      </div>
      <div
        id={detailsId}
        hidden={!isExpanded}
        className="border-t border-line bg-surface-sunken/50 p-4 sm:p-5"
      >
        {isExpanded ? <Details job={job} isOnline={isOnline} /> : null}
      </div>
    </Card>
  )
}

const FAILURES: Readonly<Record<Extract<JobState, { kind: 'failed' }>['why'], string>> = {
  upload: 'This video could not be used. Anything you paid was returned to your wallet.',
  work: 'The tokens for failed edits were returned to your wallet.',
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

function Thumbnail({ mediaJobId }: { readonly mediaJobId: string }) {
  const thumbnail = useJobThumbnail(mediaJobId)
  return (
    <div className="relative grid aspect-video place-items-center overflow-hidden rounded-control bg-surface-sunken text-ink-faint">
      {thumbnail.kind === 'ready' && thumbnail.value !== null ? (
        <BlobImage
          blob={thumbnail.value}
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <Film aria-hidden className="size-8" />
      )}
    </div>
  )
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
    <LinkButton to={paths.newMediaJob(job.uploadRequestId)} size="small">
      Finish ordering
    </LinkButton>
  ) : null
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
      <TaskList
        mediaJobId={job._id}
        tasks={job.tasks}
        isOnline={isOnline}
        actionOf={(task) => <RetryTask taskId={task._id} name={task.name} mediaJobId={job._id} />}
      />
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
    <Button
      onPress={onPress}
      aria-expanded={isExpanded}
      aria-controls={controls}
      className={buttonLook('secondary', 'small')}
    >
      {isExpanded ? 'Hide Edits' : 'Show Edits'}
      <span className="sr-only"> of {name}</span>
    </Button>
  )
}
