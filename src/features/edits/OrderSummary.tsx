import { Download } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { singleFiles } from '#recipes/single-files.ts'
import { choicePath, redoneTaskId } from '#src/local/edits/redo.ts'
import { isInWork, jobState, type JobState } from '#src/local/db/job-state.ts'
import { Filmstrip } from '#src/components/uploads/Filmstrip.tsx'
import { JobProgress } from '#src/components/jobs/JobProgress.tsx'
import { SaveAll } from '#src/components/outputs/SaveAll.tsx'
import { isReviewDue } from '#src/components/jobs/task-words.ts'
import { TaskList } from '#src/components/jobs/TaskList.tsx'
import { env } from '#src/config/env.ts'
import { API_BASE, faceReviewPath, paths } from '#src/config/paths.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { useKeptOf, useOpenKept } from '#src/hooks/edits/use-kept-files.ts'
import { useKnownOrder } from './use-known-order.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

export interface OrderSummaryProps {
  /** Null until it is read. */
  readonly job: MediaJob | null
  /** What is said before the number of its edits; null for what is not known. */
  readonly facts: readonly (string | null)[]
  /** As this order is told from those of all cards. */
  readonly label: string
  readonly isOnline: boolean
  /** Id of the `OrderDetails` that its button shows and hides. */
  readonly detailsId: string
  readonly isExpanded: boolean
  readonly onToggle: (mediaJobId: string) => void
}

/** One order of a video: when it was made, how far its edits are, and the next step. */
export function OrderSummary({ job, ...props }: OrderSummaryProps) {
  return job === null ? <div className="h-24" /> : <KnownOrder job={job} {...props} />
}

function KnownOrder({
  job,
  facts,
  label,
  isOnline,
  detailsId,
  isExpanded,
  onToggle,
}: OrderSummaryProps & { readonly job: MediaJob }) {
  const known = useKnownOrder(job.orderId)
  const order = known.kind === 'ready' ? known.value : null
  const state = jobState(job, order)
  const nowEpochMs = useNow(isInWork(state) ? SECOND_MS : null)
  return (
    <>
      <div>
        <p className="text-sm text-ink-muted tabular-nums">
          {[...facts, `${job.tasks.length} ${job.tasks.length === 1 ? 'edit' : 'edits'}`]
            .filter((fact) => fact !== null)
            .join(' · ')}
        </p>
        <p className="mt-0.5 line-clamp-2 text-sm text-ink-muted">
          {job.tasks.map((task) => task.name).join(', ')}
        </p>
      </div>
      <JobProgress job={job} order={order} nowEpochMs={nowEpochMs} />
      {state.kind === 'failed' ? (
        <p className="text-sm text-ink-muted">{FAILURES[state.why]}</p>
      ) : null}
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <NextStep job={job} state={state} />
        <NextReview job={job} name={label} />
        <ShowEdits
          isExpanded={isExpanded}
          controls={detailsId}
          name={label}
          onPress={() => onToggle(job._id)}
        />
        <DownloadAll job={job} label={label} isOnline={isOnline} />
      </div>
    </>
  )
}

/** The edits of one order with their results, while they are shown. */
export function OrderDetails({
  id,
  job,
  isOnline,
  isExpanded,
}: Pick<OrderSummaryProps, 'job' | 'isOnline' | 'isExpanded'> & { readonly id: string }) {
  return (
    <div
      id={id}
      hidden={!isExpanded}
      className="border-t border-line bg-surface-sunken/50 p-4 sm:p-5"
    >
      {isExpanded && job !== null ? <Details job={job} isOnline={isOnline} /> : null}
    </div>
  )
}

interface DownloadAllProps {
  readonly job: MediaJob
  readonly label: string
}

/** All files of the job in one archive, each once; nothing where there is only one file. */
function DownloadAll({ isOnline, ...props }: DownloadAllProps & { readonly isOnline: boolean }) {
  const outputs = props.job.tasks.flatMap((task) => task.outputs)
  const files = singleFiles(outputs.filter((output) => output.kind === 'download-button'))
  if (files.length < 2) return null
  return isOnline ? (
    <DownloadZip files={files} {...props} />
  ) : (
    <SaveKept files={files} name={props.label} />
  )
}

type Output = MediaJob['tasks'][number]['outputs'][number]
type Files = readonly Extract<Output, { readonly kind: 'download-button' }>[]

function DownloadZip({ files, job, label }: DownloadAllProps & { readonly files: Files }) {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return (
    <a
      href={`${API_BASE}/v1/media-jobs/${job._id}/results`}
      download
      // On a phone in a row of its own, below the buttons.
      className={buttonLook('secondary', 'small', 'max-sm:order-last max-sm:w-full')}
    >
      <Download aria-hidden className="size-4" />
      Download all
      <span className="sr-only"> results of {label}</span>
      <span className="font-normal text-ink-muted">ZIP, {formatBytes(sizeBytes)}</span>
    </a>
  )
}

/** The same without a network, where this device keeps all of them. */
function SaveKept({ files, name }: { readonly files: Files; readonly name: string }) {
  const kept = useKeptOf(files.map(({ _id }) => _id))
  const open = useOpenKept()
  const rows = files.map(({ _id }) => kept.get(_id))
  return rows.every((row) => row?.state === 'kept') ? (
    <SaveAll files={files} name={name} open={() => open(rows)} />
  ) : null
}

const FAILURES: Readonly<Record<Extract<JobState, { kind: 'failed' }>['why'], string>> = {
  upload: 'This video could not be used. Anything you paid was returned to your wallet.',
  work: 'The tokens for failed edits were returned to your wallet.',
  cancelled: 'Anything you paid was returned to your wallet.',
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
