import { drainOutbox, type OutboxDeps } from './outbox.ts'
import { areEndsSafe } from './submit-edits.ts'
import { startLiveLoop } from '#src/local/db/live-loop.ts'
import type { OutboxRow } from '#src/local/db/rows.ts'
import { describeBug } from '#src/lib/describe-bug.ts'

/** Timers of browsers overflow beyond 2^31 ms, and a clock can jump: look at least so often. */
const LONGEST_SLEEP_MS = 60_000
/** After an unexpected end of a drain (a closed database, a bug): not at once again. */
const AFTER_TROUBLE_MS = 5000

export interface OutboxLoop {
  /**
   * Looks at the outbox now: the network or the session came back, the page became visible. Waits
   * for the network end early.
   */
  poke(): void
  /** The account is signed in, perhaps again: ends waits for that. */
  resume(): void
  /** Ends the loop and waits for the request under way to end. */
  stop(): Promise<void>
}

/**
 * Drains the outbox whenever something is due, until stopped; also when its rows or those of
 * uploads change in any tab.
 */
export function startOutboxLoop(deps: OutboxDeps): OutboxLoop {
  const { clock, log } = deps
  const { rouse, stop } = startLiveLoop({
    clock,
    watch: () => watchedState(deps),
    onWatchFailed: () => log.warn('the outbox cannot be watched'),
    turn: async (signal) => {
      const nextEpochMs = await drainOutbox(deps, signal).catch((thrown: unknown) => {
        log.error('draining the outbox failed', describeBug(thrown))
        return clock.now() + AFTER_TROUBLE_MS
      })
      return Math.min(LONGEST_SLEEP_MS, Math.max(0, nextEpochMs - clock.now()))
    },
  })
  return {
    poke: () => void hurry(deps, isForNetwork).then(rouse, rouse),
    resume: () => void hurry(deps, isForSession).then(rouse, rouse),
    stop,
  }
}

/** Ends the waits of these rows. Waits of the schedule are none of them. */
async function hurry(deps: OutboxDeps, which: (row: OutboxRow) => boolean): Promise<void> {
  await deps.db.outbox
    .filter((row) => row.state.kind === 'waiting' && which(row))
    .modify({ notBeforeEpochMs: 0 })
}

/** A time that the server gave is not the network's. */
function isForNetwork({ attempt, state }: OutboxRow): boolean {
  return attempt > 0 && state.kind === 'waiting' && state.limit === undefined
}

function isForSession({ state }: OutboxRow): boolean {
  return state.kind === 'waiting' && state.isForSession === true
}

/**
 * What can make an intention due: the outbox itself, and of uploads only id, state and whether both
 * ends arrived (progress changes too often).
 */
async function watchedState(deps: OutboxDeps): Promise<string> {
  const rows = await deps.db.outbox.toArray()
  const uploads = rows.length === 0 ? [] : await deps.db.uploads.toArray()
  const seen = await Promise.all(
    uploads.map(async (upload) => [
      upload.id,
      upload.uploadRequestId,
      upload.state.kind,
      await areEndsSafe(deps.db, upload),
    ]),
  )
  return JSON.stringify([rows.map((row) => [row.id, row.state.kind, row.notBeforeEpochMs]), seen])
}
