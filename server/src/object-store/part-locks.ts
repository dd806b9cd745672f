import { setTimeout } from 'node:timers/promises'
import { openLoneClient, type DbAddress, type LoneClient } from '#server/db/lone-client.ts'
import { isAway, LONGEST_WAIT_MS } from '#server/db/unseen-restart.ts'
import { unavailable } from '#server/problems.ts'

/**
 * Locks of parts among all processes that serve one store. Within a process, one caller at a time
 * may ask for a name.
 */
export interface PartLocks {
  /**
   * Takes a lock, and meanwhile asks the process that holds it to let go. Returns null when that
   * takes longer than 10 s. Throws `system/unavailable` when the locks cannot be reached, for which
   * it waits as a call does ([Note: unseen restart] in db/unseen-restart.ts).
   */
  take(name: string, holder: PartLockHolder): Promise<PartLock | null>
}

interface PartLockHolder {
  /** Another process wants the lock. */
  onWanted(): void
  /** The lock is gone: another process may have it already. */
  onLost(): void
}

export interface PartLock {
  release(): Promise<void>
}

const CHANNEL = 'onecut_part_wanted'
const RETRY_MS = 50
const RETRIES = 200
/** A lock query does not wait for anything, so a slower one has no connection. */
const QUERY_MS = 10_000

/**
 * The locks in PostgreSQL: session locks, all on one connection beside the pool, which is opened
 * for the first part. PostgreSQL releases them the moment the process dies. When the connection
 * breaks, every holder hears `onLost`, and the next lock opens another one.
 */
export function createPartLocks(
  db: DbAddress,
  onError: (error: unknown) => void,
): PartLocks & { close(): Promise<void> } {
  let session: Promise<LockSession> | null = null
  const open = (): Promise<LockSession> => {
    const opening = openSession(db, (error) => {
      if (session === opening) session = null
      onError(error)
    })
    return opening
  }
  return {
    async take(name, holder) {
      for (const endsAtMs = performance.now() + LONGEST_WAIT_MS; ; await setTimeout(RETRY_MS)) {
        session ??= open()
        const mine = session
        try {
          return await takeLock(await mine, name, holder)
        } catch (error) {
          if (session === mine) session = null
          if (isAway(error) && performance.now() < endsAtMs) continue
          onError(error)
          throw unavailable()
        }
      }
    },
    async close() {
      const closing = session
      session = null
      const last = await closing?.catch(() => null)
      // Locks that are being let go of are not lost: queries come one after another.
      await last?.query('select 1', []).catch(() => {})
      await last?.end()
    },
  }
}

/** One connection and what is locked on it. A query that fails ends it: all its locks are gone. */
interface LockSession {
  readonly holders: Map<string, PartLockHolder>
  query: LoneClient['query']
  end(): Promise<void>
}

async function openSession(db: DbAddress, onLost: (error: unknown) => void): Promise<LockSession> {
  const holders = new Map<string, PartLockHolder>()
  const lose = (error: unknown): void => {
    onLost(error)
    for (const holder of holders.values()) holder.onLost()
    holders.clear()
  }
  const client = await openLoneClient(db, lose, {
    queryMs: QUERY_MS,
    onNotice: (name) => holders.get(name)?.onWanted(),
  })
  const session: LockSession = {
    holders,
    end: client.end,
    async query<Row extends Record<string, unknown>>(text: string, values: readonly unknown[]) {
      try {
        return await client.query<Row>(text, values)
      } catch (error) {
        lose(error)
        client.end().catch(() => {})
        throw error
      }
    },
  }
  await session.query(`listen ${CHANNEL}`, [])
  return session
}

/** Asks again and again: a query that waits would stop all other parts of this connection. */
async function takeLock(
  session: LockSession,
  name: string,
  holder: PartLockHolder,
): Promise<PartLock | null> {
  for (let attempt = 0; attempt < RETRIES; attempt += 1) {
    const rows = await session.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [`part:${name}`],
    )
    if (rows[0]?.taken === true) {
      session.holders.set(name, holder)
      return { release: async () => await release(session, name) }
    }
    await session.query('select pg_notify($1, $2)', [CHANNEL, name])
    await setTimeout(RETRY_MS)
  }
  return null
}

async function release({ holders, query }: LockSession, name: string): Promise<void> {
  if (!holders.delete(name)) return // lost with its connection
  await query('select pg_advisory_unlock(hashtextextended($1, 0))', [`part:${name}`])
}
