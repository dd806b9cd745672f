import {
  CALLS_AT_ONCE,
  CALLS_PER_SECOND,
  STRANGER_CALLS_AT_ONCE,
  STRANGER_CALLS_PER_SECOND,
  STRANGER_SHARES,
} from '#server/budgets.ts'
import { networksAround } from '#server/addresses.ts'
import { Problem } from '#server/problems.ts'

/** Counts one call; throws `request/too-many` with the time to wait when there were too many. */
export interface CallBudget {
  ofAccount(userId: string): void
  /** A call without a session, from a network as `networkOf` names it. */
  ofStranger(network: string): void
  /** Which share of its bucket one of them has used up, between 0 and 1; counts no call. */
  usedBy(caller: { readonly userId: string } | { readonly network: string }): number
}

/**
 * Counts the calls of each account, and of each network those without a session, in this process.
 * In memory, because a row for each call would cost more than most calls. Parts are not counted:
 * they have limits of their own.
 */
export function createCallBudget(clock: () => Date): CallBudget {
  const nowMs = (): number => clock().getTime()
  const accounts = createBuckets({ atOnce: CALLS_AT_ONCE, perSecond: CALLS_PER_SECOND })
  const networks = Object.entries(STRANGER_SHARES).map(([width, share]) => ({
    width,
    buckets: createBuckets({
      atOnce: STRANGER_CALLS_AT_ONCE * share,
      perSecond: STRANGER_CALLS_PER_SECOND * share,
    }),
  }))
  return {
    ofAccount(userId) {
      if (accounts.take(userId, nowMs())) return
      throw new Problem(
        'request/too-many',
        'Too many requests of this account at once. Please wait a minute.',
        { retryAfterS: Math.ceil(CALLS_AT_ONCE / CALLS_PER_SECOND / 2) },
      )
    },
    ofStranger(network) {
      const around = networksAround(network)
      // The widest first: a call that it refuses takes nothing from the others.
      const isFree = networks.toReversed().every(({ width, buckets }) => {
        const name = around[width]
        return name === undefined || buckets.take(name, nowMs())
      })
      if (isFree) return
      throw new Problem(
        'request/too-many',
        'Too many requests from your network at once. Please wait half a minute, or log in.',
        { retryAfterS: Math.ceil(STRANGER_CALLS_AT_ONCE / STRANGER_CALLS_PER_SECOND / 2) },
      )
    },
    usedBy(caller) {
      if ('userId' in caller) return accounts.used(caller.userId, nowMs())
      const around = networksAround(caller.network)
      const used = networks.map(({ width, buckets }) => {
        const name = around[width]
        return name === undefined ? 0 : buckets.used(name, nowMs())
      })
      return Math.max(...used)
    },
  }
}

interface Left {
  readonly calls: number
  readonly atMs: number
}

/** A bucket of `atOnce` for each name, which refills by `perSecond`. */
function createBuckets({ atOnce, perSecond }: { atOnce: number; perSecond: number }) {
  const left = new Map<string, Left>()
  const inBucket = (name: string, nowMs: number): number => {
    const { calls, atMs } = left.get(name) ?? { calls: atOnce, atMs: nowMs }
    return Math.min(atOnce, calls + (Math.max(0, nowMs - atMs) / 1_000) * perSecond)
  }
  return {
    used: (name: string, nowMs: number): number => 1 - inBucket(name, nowMs) / atOnce,
    /** False, and nothing is taken, from a bucket that is empty. */
    take(name: string, nowMs: number): boolean {
      const now = { calls: inBucket(name, nowMs) - 1, atMs: nowMs }
      if (now.calls < 0) return false
      // A full bucket is as good as none: only who called lately is kept.
      for (const [other, each] of left)
        if (nowMs - each.atMs < (atOnce / perSecond) * 1_000) break
        else left.delete(other)
      left.delete(name)
      left.set(name, now)
      return true
    },
  }
}
