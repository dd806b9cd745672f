import { performance } from 'node:perf_hooks'
import { unavailable } from '#server/problems.ts'
import type { CallBudget } from './call-budget.ts'

/**
 * [Note: line] One process answers all its calls in turn, and a call comes back to the event loop
 * after each query, behind whatever is ready by then. Who asks without a pause has several calls
 * there at each moment, so that an order of another person, which makes some twenty queries, waits
 * for all of them twenty times. So these callers wait in one line before anything is read for
 * them: accounts that ask more than a screen does, and all calls without a session. The line moves
 * on when the loop has been idle for as long as it worked since the last one. It never takes more
 * than half of the loop then, whatever its calls cost and however many callers there are, and on a
 * quiet server nothing waits. Who has used up little of its budget goes first, but no other waits
 * behind it for ever.
 */
export interface Line {
  /** Resolves when a call may begin, with what is to be called at its end. */
  ofCall(call: WaitingCall & { readonly token: string | undefined }): Promise<Leave>
  /** The same without a session. */
  ofStranger(call: WaitingCall): Promise<Leave>
  /** Whose session a token is, as the database has just said; null when it is none. */
  learn(token: string, userId: string | null): void
}

interface WaitingCall {
  readonly network: string
  /**
   * Whether its sender waits no more: then it rejects with `system/unavailable`, as one does for
   * which the line is too long.
   */
  isGone(): boolean
}

type Leave = () => void

/** Of the bucket of an account, 20 calls that it has not filled up yet: a screen asks fewer. */
const UNHURRIED_SHARE = 0.01
/** Who has used up a whole bucket goes behind those who come this much later and have not. */
const BEHIND_MS = 10_000
/** The line moves on after this, however busy the loop is. */
const LONGEST_MS = 5
/** Between two calls for each that the line has let in and that goes on, as in the database. */
const RUNNING_MS = 1
const LOOK_MS = 1
/** What a look at all of them costs, 20 microseconds, is little beside a call. */
const MOST_WAITING = 1_000
/** Sessions whose accounts are known; of another one a call is like that of a stranger. */
const MOST_SESSIONS = 10_000

/** How long an event loop has been idle and has worked, in milliseconds. */
export type LoopTimes = () => { readonly idle: number; readonly active: number }

interface Place {
  /** The time from which on it may go before others. */
  readonly dueMs: number
  readonly isGone: () => boolean
  readonly enter: PromiseWithResolvers<Leave>
}

/** `lookLater` calls back a moment later. */
export function createLine(
  budget: Pick<CallBudget, 'usedBy'>,
  loop: LoopTimes = () => performance.eventLoopUtilization(),
  lookLater: (look: () => void) => unknown = (look) => setTimeout(look, LOOK_MS),
): Line {
  const places = new Set<Place>()
  const accounts = createKnownAccounts()
  const pace = createPace(loop)
  const state = { isLooking: false }

  function look(): void {
    state.isLooking = false
    if (pace.mayMove()) letFirstIn()
    keepLooking()
  }

  function letFirstIn(): void {
    for (let first = due(places, 'first'); first !== undefined; first = due(places, 'first')) {
      places.delete(first)
      if (!first.isGone()) return first.enter.resolve(pace.letIn())
      first.enter.reject(unavailable())
    }
  }

  function refuseLast(): void {
    const last = due(places, 'last')
    if (last === undefined) return
    places.delete(last)
    last.enter.reject(unavailable())
  }

  function keepLooking(): void {
    if (state.isLooking || places.size === 0) return
    state.isLooking = true
    lookLater(look)
  }

  async function wait(used: number, { isGone }: WaitingCall): Promise<Leave> {
    if (places.size === 0 && pace.mayMove()) return pace.letIn()
    const dueMs = pace.nowMs() + used * BEHIND_MS
    const place: Place = { dueMs, isGone, enter: Promise.withResolvers() }
    places.add(place)
    if (places.size > MOST_WAITING) refuseLast()
    keepLooking()
    return await place.enter.promise
  }

  return {
    async ofCall({ token, ...call }) {
      const userId = token === undefined ? undefined : accounts.of(token)
      if (userId === undefined) return await wait(budget.usedBy(call), call)
      const used = budget.usedBy({ userId })
      return used > UNHURRIED_SHARE ? await wait(used, call) : () => undefined
    },
    ofStranger: async (call) => await wait(budget.usedBy(call), call),
    learn: accounts.learn,
  }
}

/** When the line moves on, by what the loop did since it last has. */
function createPace(loop: LoopTimes) {
  const state = { since: loop(), running: 0 }
  return {
    nowMs(): number {
      const { idle, active } = loop()
      return idle + active
    },
    mayMove(): boolean {
      const now = loop()
      const idle = now.idle - state.since.idle
      const active = now.active - state.since.active
      const ms = idle + active
      return ms >= LONGEST_MS || (idle >= active && ms >= state.running * RUNNING_MS)
    },
    letIn(): Leave {
      state.since = loop()
      state.running += 1
      return () => {
        state.running -= 1
      }
    },
  }
}

/** Whose the sessions are that called lately. */
function createKnownAccounts(): Pick<Line, 'learn'> & { of(token: string): string | undefined } {
  const accounts = new Map<string, string>()
  return {
    of: (token) => accounts.get(token),
    learn(token, userId) {
      accounts.delete(token)
      if (userId === null) return
      accounts.set(token, userId)
      const [oldest] = accounts.keys()
      if (accounts.size > MOST_SESSIONS && oldest !== undefined) accounts.delete(oldest)
    },
  }
}

/** Of equals the one that has waited longest. */
function due(places: Iterable<Place>, which: 'first' | 'last'): Place | undefined {
  let found: Place | undefined
  for (const place of places)
    if (
      found === undefined ||
      (which === 'first' ? place.dueMs < found.dueMs : place.dueMs > found.dueMs)
    )
      found = place
  return found
}
