import type { components } from '#openapi/schema.gen.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'

type MediaJob = components['schemas']['MediaJob']

const WORKING_MIN_MS = 2 * SECOND_MS
const WORKING_MAX_MS = 5 * SECOND_MS
const WAITING_MS = 10 * SECOND_MS
const HIDDEN_MS = 30 * SECOND_MS

/**
 * How long an answer counts as fresh; a younger one is not pulled again. Nouns name their own time.
 */
export const STALE_AFTER_MS = {
  capabilities: 10 * MINUTE_MS,
  me: MINUTE_MS,
  sessions: MINUTE_MS,
  mediaJobs: 10 * SECOND_MS,
  uploads: 10 * SECOND_MS,
  order: 10 * SECOND_MS,
} as const

/** True when nothing more will happen to the job by itself. */
export function isJobFinished(
  job: Pick<MediaJob, 'progressRatio' | 'isMediaWorkflowFailed' | 'isUploadRequestFailed'>,
): boolean {
  return job.progressRatio >= 1 || job.isMediaWorkflowFailed || job.isUploadRequestFailed
}

/**
 * When to ask for a job again: every 2 to 5 s while it is worked on and the page is visible, 10 s
 * while it waits (for its upload or payment), 30 s while hidden, never once it is finished.
 * @param random 0 <= random < 1, so that many clients do not ask in step
 */
export function jobPollMs(job: MediaJob, isVisible: boolean, random: number): number | false {
  if (isJobFinished(job)) return false
  if (!isVisible) return HIDDEN_MS
  return job.isMediaWorkflowStarted
    ? WORKING_MIN_MS + Math.round(random * (WORKING_MAX_MS - WORKING_MIN_MS))
    : WAITING_MS
}

/** The shortest wish of several jobs (the library), or false when all are finished. */
export function jobsPollMs(
  jobs: readonly MediaJob[],
  isVisible: boolean,
  random: number,
): number | false {
  const wishes = jobs
    .map((job) => jobPollMs(job, isVisible, random))
    .filter((wish) => wish !== false)
  return wishes.length === 0 ? false : Math.min(...wishes)
}
