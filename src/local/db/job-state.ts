import type { components } from '#openapi/schema.gen.ts'

type MediaJob = components['schemas']['MediaJob']
type Order = components['schemas']['Order']

/**
 * The four displays of the specification (JOB-09); `unstarted` says what the job waits for. A job
 * of which every edit was cancelled ends as a failed one does, and is not called so.
 */
export type JobState =
  | { readonly kind: 'failed'; readonly why: 'upload' | 'work' | 'cancelled' }
  | { readonly kind: 'completed'; readonly failedTasks: number }
  | { readonly kind: 'in-progress'; readonly percent: number }
  | {
      readonly kind: 'unstarted'
      readonly waitsFor: 'order' | 'payment' | 'upload' | 'check' | 'start' | 'unknown'
    }

type JobFlags = Pick<
  MediaJob,
  | 'isMediaWorkflowFailed'
  | 'isMediaWorkflowStarted'
  | 'isUploadRequestCompleted'
  | 'isUploadRequestFailed'
  | 'isUploadRequestValidated'
  | 'orderIsPlaced'
  | 'progressRatio'
> & {
  readonly tasks: readonly Pick<MediaJob['tasks'][number], 'status'>[]
}

/**
 * Exactly one state for any flags: failure counts first, then completion. Edits that an excerpt
 * gave stay where their video is of no use.
 * @param order the job's order as last known; null when this device does not know it: a job that
 * would begin if it were paid then waits for what is `unknown`
 */
export function jobState(
  job: JobFlags,
  order: Pick<Order, 'isFullyPaid' | 'status'> | null,
): JobState {
  const isGiven = job.tasks.some(({ status }) => status === 'succeeded' || status === 'started')
  if (job.isUploadRequestFailed && !isGiven) return { kind: 'failed', why: 'upload' }
  if (job.isMediaWorkflowFailed) {
    const isCancelled = job.tasks.every((task) => task.status === 'canceled')
    return { kind: 'failed', why: isCancelled && job.tasks.length > 0 ? 'cancelled' : 'work' }
  }
  if (job.progressRatio >= 1)
    return {
      kind: 'completed',
      failedTasks: job.tasks.filter((task) => task.status === 'failed').length,
    }
  if (job.isMediaWorkflowStarted)
    return { kind: 'in-progress', percent: Math.max(0, Math.floor(job.progressRatio * 100)) }
  return { kind: 'unstarted', waitsFor: waitsFor(job, order) }
}

/** Whether the server works on the job or will without the person, so that polling makes sense. */
export function isInWork(state: JobState): boolean {
  return (
    state.kind === 'in-progress' ||
    (state.kind === 'unstarted' && state.waitsFor !== 'order' && state.waitsFor !== 'payment')
  )
}

function waitsFor(
  job: JobFlags,
  order: Pick<Order, 'isFullyPaid' | 'status'> | null,
): Extract<JobState, { kind: 'unstarted' }>['waitsFor'] {
  if (!job.orderIsPlaced) return 'order'
  if (order !== null && !order.isFullyPaid && order.status === 'open') return 'payment'
  if (!job.isUploadRequestCompleted) return 'upload'
  if (!job.isUploadRequestValidated) return 'check'
  return order === null ? 'unknown' : 'start'
}
