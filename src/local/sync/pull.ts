import type { Table } from 'dexie'
import type { ApiClient } from '#src/api/client.ts'
import { statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send, sendRetrying, type Answer } from '#src/api/send.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { DeviceDb } from '#src/local/db/device-db.ts'
import { putUnlessNewer, replaceRows, type Aged } from '#src/local/db/put.ts'
import type { Log } from '#src/lib/log.ts'
import { ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

export interface PullDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  /** Says whether pictures are stored as they are. */
  readonly deviceDb: DeviceDb
  readonly clock: Clock
  /** 0 <= value < 1 */
  readonly random: () => number
  /** For pictures only; signed or own-origin addresses. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Base of relative picture addresses. */
  readonly origin: string
  readonly log: Log
  readonly signal?: AbortSignal
}

/** The device as a page has it, so far as a pull needs it. */
export interface PullSource extends Omit<PullDeps, 'db' | 'origin' | 'signal'> {
  readonly ports: Pick<PullDeps, 'origin'>
}

/** What a pull needs, of this device and an open account. */
export function pullDepsOf(
  { api, deviceDb, clock, random, fetch, log, ports }: PullSource,
  { db }: Pick<PullDeps, 'db'>,
  signal: AbortSignal,
): PullDeps {
  return { api, db, deviceDb, clock, random, fetch, origin: ports.origin, log, signal }
}

/**
 * Brings a part of the server's state into the database. Reads remotely, writes locally,
 * idempotent; what the caller shows comes from the database.
 */
export type Pull<I = void, R = null> = (deps: PullDeps, input: I) => Promise<Result<R, ApiFailure>>

interface PullPlan<I, T, R> {
  /** The one call. Made again after a transient failure, so only a read. */
  readonly ask: (
    api: ApiClient,
    init: { readonly signal?: AbortSignal },
    input: I,
  ) => Promise<Answer<T>>
  /** Writes the answer, in one transaction. */
  readonly keep: (deps: PullDeps, answer: T, pulledAtEpochMs: number, input: I) => Promise<R>
  /** Removes what the server does not have (404), which is still a failure to the caller. */
  readonly forget?: (deps: PullDeps, input: I) => Promise<unknown>
  /** Takes away what shows a thing that is held after a report (451), also a failure. */
  readonly hold?: (deps: PullDeps, input: I) => Promise<unknown>
}

/**
 * Makes a pull of one call: asks with the generic retries, then keeps the answer. The time of a row
 * is the time before the call, so that a row written while it ran counts as newer.
 */
export function definePull<T, I = void, R = null>(plan: PullPlan<I, T, R>): Pull<I, R> {
  return async (deps, input) => {
    const pulledAtEpochMs = deps.clock.now()
    const init = deps.signal === undefined ? {} : { signal: deps.signal }
    const answer = await sendRetrying(
      deps,
      () => send(plan.ask(deps.api, init, input)),
      deps.signal,
    )
    if (answer.ok) return ok(await plan.keep(deps, answer.value, pulledAtEpochMs, input))
    if (statusOf(answer.error) === 404) await plan.forget?.(deps, input)
    if (statusOf(answer.error) === 451) await plan.hold?.(deps, input)
    return answer
  }
}

/** Writes these rows of a table, unless newer ones are there. Null, as `keep` of most pulls. */
export async function keepRows<R extends Aged, Insert>(
  db: AccountDb,
  table: Table<R, string, Insert>,
  rows: readonly (R & Insert)[],
): Promise<null> {
  await db.transaction('rw', table, () => putUnlessNewer(table, rows))
  return null
}

/**
 * Makes a table, or the part of it that `present` reads, agree with a complete answer. Null, as
 * `keep` of most pulls.
 */
export async function keepList<R extends Aged, Insert>(
  db: AccountDb,
  table: Table<R, string, Insert>,
  rows: readonly (R & Insert)[],
  pulledAtEpochMs: number,
  present: () => Promise<readonly R[]> = () => table.toArray(),
): Promise<null> {
  await db.transaction('rw', table, async () => {
    await replaceRows(table, rows, await present(), pulledAtEpochMs)
  })
  return null
}
