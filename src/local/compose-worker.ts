import { createApiClient, type ApiClient } from '#src/api/client.ts'
import { createChannel, openChannelPort, type Channel } from '#src/local/channel/channel.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import type { SealKeys } from '#src/local/db/seal.ts'
import { createKeptLog } from '#src/local/db/kept-log.ts'
import { xsrfFromChannel, xsrfFromCookieStore, type CookieReader } from '#src/local/session/xsrf.ts'
import { createIds, type Ids } from '#src/lib/ids.ts'
import { createLog, type Log } from '#src/lib/log.ts'
import { createClock, type Clock } from '#src/lib/time.ts'

/** This device as a worker uses it: opened for a given account, without a session of its own. */
export interface WorkerLocal {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly channel: Channel
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Closes database and channel; call at sign-out before answering. */
  close(): void
}

/** A log whose lines are kept for support; open one per worker. See [Note: kept log]. */
export function createWorkerLog(area: string): Log {
  return createLog(area, createKeptLog({ openDb: openDeviceDb, now: () => Date.now() }).keep)
}

/** Wires a dedicated worker or the service worker for one account. Pages learn of each 401. */
export async function composeWorker(options: {
  readonly userId: string
  readonly area: string
  readonly origin: string
  readonly cookieStore: CookieReader | null
  /** Of an account with an app lock; null for others. */
  readonly keys: SealKeys | null
}): Promise<WorkerLocal> {
  const clock = createClock()
  const log = createWorkerLog(options.area)
  const ids = createIds()
  const channel = createChannel({ port: openChannelPort(), log })
  const { keys } = options
  const seal = keys === null ? null : ({ keys, writes: 'sealed' } as const)
  const db = await openAccountDb(options.userId, {}, seal)
  const xsrfToken =
    options.cookieStore === null
      ? xsrfFromChannel({ channel, ids, clock })
      : xsrfFromCookieStore(options.cookieStore)
  const onSessionEnded = (): void =>
    channel.send({ v: 1, type: 'session-ended', userId: options.userId })
  const api = createApiClient({
    origin: options.origin,
    fetch: (request) => fetch(request),
    xsrfToken,
    userId: () => options.userId,
    onSessionEnded,
  })
  return {
    api,
    db,
    channel,
    clock,
    ids,
    log,
    close: () => {
      db.close({ disableAutoOpen: true })
      channel.close()
    },
  }
}
