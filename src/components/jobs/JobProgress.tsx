import type { components } from '#openapi/schema.gen.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { jobState, type JobState } from '#src/local/db/job-state.ts'
import { remainingWords } from '#src/lib/time-words.ts'

type Schemas = components['schemas']

export interface JobProgressProps {
  readonly job: Schemas['MediaJob']
  readonly order: Schemas['Order'] | null
  readonly nowEpochMs: number
  /** What is expected while the job itself has not shown how fast it is; null where unknown. */
  readonly expectedMs?: number | null
}

const LOOKS: Readonly<Record<JobState['kind'], string>> = {
  failed: 'font-semibold text-bad',
  completed: 'font-semibold text-good',
  'in-progress': 'font-medium',
  unstarted: 'font-medium',
}

const FAILURES: Readonly<Record<Extract<JobState, { kind: 'failed' }>['why'], string>> = {
  upload: 'Upload failed.',
  work: 'Processing Failed',
  cancelled: 'Cancelled',
}

/** The progress of a job as a bar and in words, with the server's estimate where it has one. */
export function JobProgress({ job, order, nowEpochMs, expectedMs = null }: JobProgressProps) {
  const state = jobState(job, order)
  const isCancelled = state.kind === 'failed' && state.why === 'cancelled'
  const percent = Math.floor(job.progressRatio * 100)
  const remainingMs =
    job.estimatedCompletedAt === null
      ? expectedMs
      : Date.parse(job.estimatedCompletedAt) - nowEpochMs
  const estimate =
    state.kind === 'in-progress' && remainingMs !== null ? remainingWords(remainingMs) : null
  return (
    <div className="flex flex-col gap-2">
      {state.kind === 'unstarted' || isCancelled ? null : (
        <ProgressBar
          label={`Edits of ${job.name}`}
          isLabelHidden
          percent={state.kind === 'failed' ? 100 : percent}
          isFailed={state.kind === 'failed'}
          valueText={jobStateWords(state, percent)}
        />
      )}
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-ink-muted">
        <span className={LOOKS[isCancelled ? 'unstarted' : state.kind]}>
          {jobStateWords(state, percent)}
        </span>
        {estimate === null ? null : <span className="tabular-nums">{estimate}</span>}
      </p>
    </div>
  )
}

/** One line for a job's state (JOB-09). @param percent of the work, 0 to 100 */
export function jobStateWords(state: JobState, percent: number): string {
  switch (state.kind) {
    case 'failed':
      return FAILURES[state.why]
    case 'completed':
      return state.failedTasks === 0
        ? '100% Processed'
        : `100% Processed, ${state.failedTasks} failed`
    case 'in-progress':
      return `${percent}% Processed`
    case 'unstarted':
      return WAITS[state.waitsFor]
  }
}

const WAITS: Readonly<Record<Extract<JobState, { kind: 'unstarted' }>['waitsFor'], string>> = {
  order: 'Not ordered yet',
  payment: 'Awaiting Payment',
  upload: 'Waiting for the upload',
  check: 'Checking the video',
  start: 'Waiting to start',
  unknown: 'Order placed',
}
