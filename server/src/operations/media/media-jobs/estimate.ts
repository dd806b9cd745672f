import type { TaskRow } from '#server/db/rows.ts'
import { awaitsReview, beginsAt, shareOfAttempt } from './progress.ts'

type TaskFacts = Pick<
  TaskRow,
  'status' | 'progressRatio' | 'startedAt' | 'endedAt' | 'reviewState' | 'costS'
>

/** Less progress or time than this says nothing about speed. */
const LEAST_PROGRESS = 0.03
const LEAST_ELAPSED_MS = 2000

/**
 * Milliseconds until all tasks of a job have ended, estimated from the speed of this job's own
 * tasks; null when nothing was measured yet, when nothing is left, and when an edit waits for a
 * person first. Tasks that nothing is measured of are expected to be as fast as the measured ones,
 * by their estimated cost.
 */
export function estimateRemainingMs(
  tasks: readonly TaskFacts[],
  concurrency: number,
  now: Date,
): number | null {
  const open = tasks.filter((task) => task.status === 'created' || task.status === 'started')
  if (open.length === 0 || open.some(awaitsReview)) return null
  const weights = workWeights(tasks)
  // Where a review came before, what is measured and what is left are the rest of the work.
  const weightOf = (task: TaskFacts) => (weights[tasks.indexOf(task)] ?? 0) * (1 - beginsAt(task))
  const measured = tasks.flatMap((task) => {
    const ms = fullDurationMs(task, now)
    return ms === null ? [] : [{ ms, weight: weightOf(task) }]
  })
  if (measured.length === 0) return null
  const msOfWeight = sumOf(measured, ({ ms }) => ms) / sumOf(measured, ({ weight }) => weight)
  const remaining = open.map(
    (task) =>
      (fullDurationMs(task, now) ?? msOfWeight * weightOf(task)) * (1 - shareOfAttempt(task)),
  )
  const spread = sumOf(remaining, (ms) => ms) / Math.min(concurrency, open.length)
  return Math.round(Math.max(spread, ...remaining))
}

/**
 * The share of each task in the work of its job, which together are 1: an hour of a full scene is
 * not as much as a teaser. All are alike while the cost of one is not known.
 */
export function workWeights(tasks: readonly Pick<TaskRow, 'costS'>[]): readonly number[] {
  const isKnown = tasks.every(({ costS }) => costS !== null)
  const costs = tasks.map(({ costS }) => (isKnown ? (costS ?? 1) : 1))
  return costs.map((cost) => cost / sumOf(costs, (each) => each))
}

function sumOf<T>(list: readonly T[], valueOf: (each: T) => number): number {
  return list.reduce((sum, each) => sum + valueOf(each), 0)
}

/** How long a task took, or will take in total at its present speed; null when unknown. */
function fullDurationMs(task: TaskFacts, now: Date): number | null {
  if (task.startedAt === null) return null
  if (task.status === 'succeeded' && task.endedAt !== null)
    return task.endedAt.getTime() - task.startedAt.getTime()
  const elapsed = now.getTime() - task.startedAt.getTime()
  return task.status === 'started' &&
    elapsed >= LEAST_ELAPSED_MS &&
    shareOfAttempt(task) >= LEAST_PROGRESS
    ? elapsed / shareOfAttempt(task)
    : null
}
