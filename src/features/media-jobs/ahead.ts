import type { FaceDecisions, ReviewKeeping } from './use-face-review.ts'
import { isSameDecisions } from '#src/local/outbox/same-decisions.ts'

/**
 * The newest decisions of a person, shown until the database tells the same, so that quick
 * decisions build on one another.
 */
export interface Ahead {
  readonly decisions: FaceDecisions
  /** How many decisions are being written. */
  readonly writes: number
}

/** A person decided, and the write of it began. */
export function begun(ahead: Ahead | null, decisions: FaceDecisions): Ahead {
  return { decisions, writes: (ahead?.writes ?? 0) + 1 }
}

/** One write ended, also one that failed. */
export function ended(ahead: Ahead | null): Ahead | null {
  return ahead === null ? null : { ...ahead, writes: Math.max(0, ahead.writes - 1) }
}

/**
 * What is still ahead of what the database tells; null when nothing is. While a write is under way,
 * the same words mean nothing: a box that was widened and narrowed again looks as before the two.
 */
export function stillAhead(ahead: Ahead | null, told: FaceDecisions): Ahead | null {
  const isTold = ahead?.writes === 0 && isSameDecisions(ahead.decisions, told)
  return isTold ? null : ahead
}

/**
 * How the decisions stand that are shown. What the database calls saved are those before: a review
 * that ended now would leave the newest out.
 */
export function keepingOf(ahead: Ahead | null, told: ReviewKeeping): ReviewKeeping {
  return ahead !== null && told === 'saved' ? 'on-this-device' : told
}
