import type { Ctx } from '#server/context.ts'
import type { TaskRow } from '#server/db/rows.ts'

/** Share of the progress that the search for faces has, of an edit that waits for a review. */
export const SEARCH_SHARE = 0.5

/** The progress with which the next attempt of a task begins. */
export function beginsAt({ reviewState }: Pick<TaskRow, 'reviewState'>): number {
  return reviewState === null || reviewState === 'searching' ? 0 : SEARCH_SHARE
}

/** How much of its present attempt is done, 0 to 1. */
export function shareOfAttempt(task: Pick<TaskRow, 'reviewState' | 'progressRatio'>): number {
  const begun = beginsAt(task)
  const end = task.reviewState === 'searching' ? SEARCH_SHARE : 1
  return Math.min(1, Math.max(0, task.progressRatio - begun) / (end - begun))
}

/** Whether nothing can be said of a task's end: it waits for a person, or will. */
export function awaitsReview({ reviewState }: Pick<TaskRow, 'reviewState'>): boolean {
  return reviewState === 'searching' || reviewState === 'waiting'
}

/**
 * When a task that waits for its owner is cancelled: videos are kept for that long. Null where they
 * are kept for ever, and while it does not wait.
 */
export function reviewUntil(
  { settings }: Pick<Ctx, 'settings'>,
  { status, reviewState, reviewAskedAt }: TaskRow,
): Date | null {
  const days = settings.keepSourcesDays
  if (days === null || reviewAskedAt === null) return null
  if (reviewState !== 'waiting' || status !== 'created') return null
  return new Date(reviewAskedAt.getTime() + days * 86_400_000)
}
