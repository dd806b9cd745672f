import { CALLS_AT_ONCE, CALLS_PER_SECOND } from '#server/budgets.ts'
import { Problem } from '#server/problems.ts'

interface Left {
  calls: number
  atMs: number
}

/**
 * Counts the calls of each account in this process: a bucket of `CALLS_AT_ONCE` that refills by
 * `CALLS_PER_SECOND`. In memory, because a row for each call would cost more than most calls.
 * Throws `request/too-many` with the time to wait. Parts are not counted: they have limits of their
 * own.
 */
export function createCallBudget(clock: () => Date): (userId: string) => void {
  const left = new Map<string, Left>()
  return (userId) => {
    const nowMs = clock().getTime()
    const { calls, atMs } = left.get(userId) ?? { calls: CALLS_AT_ONCE, atMs: nowMs }
    const refilled = calls + (Math.max(0, nowMs - atMs) / 1_000) * CALLS_PER_SECOND
    const now = { calls: Math.min(CALLS_AT_ONCE, refilled) - 1, atMs: nowMs }
    if (now.calls < 0)
      throw new Problem(
        'request/too-many',
        'Too many requests of this account at once. Please wait a minute.',
        { retryAfterS: Math.ceil(CALLS_AT_ONCE / CALLS_PER_SECOND / 2) },
      )
    // A full bucket is as good as none: only accounts that called lately are kept.
    for (const [id, each] of left)
      if (nowMs - each.atMs < (CALLS_AT_ONCE / CALLS_PER_SECOND) * 1_000) break
      else left.delete(id)
    left.delete(userId)
    left.set(userId, now)
  }
}
