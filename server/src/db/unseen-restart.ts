import { setTimeout } from 'node:timers/promises'
import { isLostConnection } from './lost-connection.ts'
import { refusalIn } from '#server/problems.ts'

/**
 * [Note: unseen restart] A database that restarts, or whose replica takes over, is away for some
 * seconds, and callers see no more of it than a slow answer. Who needs a connection waits for the
 * database (`createAwait`). What a broken connection cut off is done again where nothing of it can
 * have remained (`again`): reads, transactions whose `commit` was never sent, and single writes
 * that the database itself says it has ended (`hasEndedStatement`). A `commit` whose answer is
 * lost, or a write whose connection just broke, says nothing of what remained: only a call that is
 * made to be repeated is run again then (http/dispatch.ts), and all others are refused with
 * `system/unavailable`.
 */

/** Longer than a restart; the app gives up reading after 15 s. */
export const LONGEST_WAIT_MS = 12_000
const LOOK_MS = 200
/** Not more: what makes the database fall must not be sent to it again and again. */
const REPEATS = 2

/** Connections that could not be opened, but may be soon; 53300: too many are open. */
const SOON = /^(53300|ENOENT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/

/** Whether the database, to which no connection could be opened, may be there in some seconds. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return SOON.test(code) || isLostConnection(error)
}

/**
 * Whether a write with parameters, outside of a transaction, failed because its session was ended
 * for a shutdown. PostgreSQL looks for that (`ProcessInterrupts`) while a statement runs and while
 * it waits for the next message, and not between the commit of such a write, which its last message
 * (`Sync`) makes, and its answer (15 to 18: `PostgresMain`, and `ProcessClientWriteInterrupt`, by
 * which nothing is said when the answer itself is stuck). So the write was rolled back or never
 * read. An own `commit`, and a statement without parameters, have such moments.
 */
export function hasEndedStatement(error: unknown): boolean {
  const { code, severity, routine } = error as Readonly<Record<string, unknown>>
  return code === '57P01' && severity === 'FATAL' && routine === 'ProcessInterrupts'
}

/**
 * Waits for a database that is away: one of all who wait looks for it. `look` says whether
 * asking for a connection is worth it again. The result is false where it was not until `endsAtMs`
 * of `performance.now()`.
 */
export function createAwait(
  look: () => Promise<boolean>,
  lookMs = LOOK_MS,
): (endsAtMs: number) => Promise<boolean> {
  let back: Promise<void> | null = null
  let waiting = 0
  const looking = async (): Promise<void> => {
    do await setTimeout(lookMs)
    while (waiting > 0 && !(await look()))
  }
  return async (endsAtMs) => {
    const leftMs = endsAtMs - performance.now()
    if (leftMs <= 0) return false
    const gaveUp = new AbortController()
    waiting += 1
    back ??= looking().finally(() => {
      back = null
    })
    try {
      const timer = setTimeout(leftMs, false, { signal: gaveUp.signal })
      timer.catch(() => undefined)
      return await Promise.race([back.then(() => true), timer])
    } finally {
      gaveUp.abort()
      waiting -= 1
    }
  }
}

/**
 * Does `work` again when its connection broke and `mayRepeat` says that nothing of it remained.
 * @param restMs meanwhile the pool hears of its other connections that have ended
 */
export async function again<T>(
  work: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean = () => true,
  restMs = LOOK_MS,
): Promise<T> {
  for (let left = REPEATS; ; left -= 1)
    try {
      return await work()
    } catch (error) {
      // A refusal has waited already.
      const isCutOff = refusalIn(error) === null && isLostConnection(error)
      if (left === 0 || !isCutOff || !mayRepeat(error)) throw error
      await setTimeout(restMs)
    }
}
