import type { components } from '#openapi/schema.gen.ts'
import type { BadgeTone } from '#src/ui/Badge.tsx'

type Task = components['schemas']['MediaJobTask']

/**
 * Whether an edit goes on only when its owner has reviewed its faces. Rows of an older app lack it.
 */
export function isReviewDue(task: Pick<Task, 'status' | 'review'>): boolean {
  return task.status === 'created' && task.review?.state === 'waiting'
}

export interface TaskWords {
  readonly text: string
  readonly tone: BadgeTone
}

/**
 * The state of one edit in words (JOB-10, docs/product-decisions.md#task-states). A failed edit
 * shows its message, else 'Processing Failed'.
 */
export function taskWords(task: Pick<Task, 'status' | 'errorMessage' | 'review'>): TaskWords {
  if (isReviewDue(task)) return { text: 'Waiting for you', tone: 'accent' }
  switch (task.status) {
    case 'created':
      return { text: 'Waiting', tone: 'neutral' }
    case 'started':
      return { text: 'Working', tone: 'accent' }
    case 'succeeded':
      return { text: 'Ready', tone: 'good' }
    case 'failed':
      return { text: task.errorMessage ?? 'Processing Failed', tone: 'bad' }
    case 'canceled':
      return { text: 'Cancelled', tone: 'neutral' }
  }
}
