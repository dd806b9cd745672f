import type { TaskRow } from '#server/db/rows.ts'
import { awaitsReview, beginsAt } from '#server/operations/tasks/progress.ts'

type TaskFacts = Pick<TaskRow, 'status' | 'progressRatio' | 'startedAt' | 'endedAt' | 'reviewState'>

/** Less progress or time than this says nothing about speed. */
const LEAST_PROGRESS = 0.03
const LEAST_ELAPSED_MS = 2000

/**
 * Milliseconds until all tasks of a job have ended, estimated from the speed of this job's own
 * tasks; null when nothing was measured yet, when nothing is left, and when an edit waits for a
 * person first. Waiting tasks are expected to take as long as the measured ones.
 */
export function estimateRemainingMs(
  tasks: readonly TaskFacts[],
  concurrency: number,
  now: Date,
): number | null {
  const open = tasks.filter((task) => task.status === 'created' || task.status === 'started')
  if (open.length === 0 || open.some(awaitsReview)) return null
  const measured = tasks.flatMap((task) => fullDurationMs(task, now) ?? [])
  if (measured.length === 0) return null
  const usual = measured.reduce((sum, ms) => sum + ms, 0) / measured.length
  const remaining = open.map((task) => (fullDurationMs(task, now) ?? usual) * (1 - shareOf(task)))
  const spread = remaining.reduce((sum, ms) => sum + ms, 0) / Math.min(concurrency, open.length)
  return Math.round(Math.max(spread, ...remaining))
}

/** How long a task took, or will take in total at its present speed; null when unknown. */
function fullDurationMs(task: TaskFacts, now: Date): number | null {
  if (task.startedAt === null) return null
  if (task.status === 'succeeded' && task.endedAt !== null)
    return task.endedAt.getTime() - task.startedAt.getTime()
  const elapsed = now.getTime() - task.startedAt.getTime()
  return task.status === 'started' && elapsed >= LEAST_ELAPSED_MS && shareOf(task) >= LEAST_PROGRESS
    ? elapsed / shareOf(task)
    : null
}

/** How much of the work that began at `startedAt` is done, 0 to 1. */
function shareOf(task: TaskFacts): number {
  const begun = beginsAt(task)
  return Math.max(0, task.progressRatio - begun) / (1 - begun)
}
