import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, Pool, type PoolClient } from 'pg'
import type { Connection } from './connection.ts'
import * as schema from './schema.ts'
import { unavailable } from '#server/problems.ts'

export type Db = NodePgDatabase<typeof schema> & { $client: Pool }
/** A transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** A request waits this long for a connection, then it fails instead of waiting for ever. */
const LONGEST_WAIT_MS = 20_000
const MOST_CONNECTIONS = 12

/** What becomes of errors that no query sees. */
interface PoolReports {
  /** Errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void
  /** A query or transaction got no connection. It fails with `system/unavailable`. */
  readonly onNoConnection?: (error: Error) => void
}

/** Opens the pool. It connects when it is used. */
export function openDb(connection: Connection, { onError, onNoConnection }: PoolReports): Db {
  const pool = new CodedPool(connection, onNoConnection ?? (() => undefined))
  pool.on('error', onError)
  // The pool does not listen to a connection in use. Its query fails with the error; without a
  // listener the process would end as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return drizzle(pool, { schema })
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void
type Release = (release?: boolean) => void

/**
 * A pool whose waits end in a refusal: all connections are in use for too long, or the database is
 * away. Nothing was read or written then, so that the same call may be made again.
 */
class CodedPool extends Pool {
  readonly #report: (error: Error) => void

  constructor(connection: Connection, report: (error: Error) => void) {
    super({ ...connection, max: MOST_CONNECTIONS, connectionTimeoutMillis: LONGEST_WAIT_MS })
    this.#report = report
  }

  // The base class queries by its own `connect`, with a callback.
  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const refusal = (error: Error): Error => {
      this.#report(error)
      return unavailable()
    }
    if (callback === undefined)
      return super.connect().then(
        (client) => givenBackUnlessBegun(client, refusal),
        (error: Error) => {
          throw refusal(error)
        },
      )
    super.connect((error, client, done) =>
      callback(error === undefined ? undefined : refusal(error), client, done),
    )
  }
}

/**
 * Gives a connection back when its first statement is a `begin` that fails: it had ended while it
 * was idle. drizzle-orm 0.45 does not (`transaction` in its node-postgres/session.js), so that the
 * pool would have one connection less for ever and could never be closed.
 */
function givenBackUnlessBegun(client: PoolClient, refusal: (error: Error) => Error): PoolClient {
  const query = Client.prototype.query.bind(client) as (...input: unknown[]) => Promise<unknown>
  const first = (...input: unknown[]): Promise<unknown> => {
    // The prototype's own is back.
    Reflect.deleteProperty(client, 'query')
    if (!isBegin(input[0])) return query(...input)
    return query(...input).catch((error: Error) => {
      client.release(true)
      throw refusal(error)
    })
  }
  return Object.assign(client, { query: first })
}

function isBegin(statement: unknown): boolean {
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement
  return isConfig && typeof statement.text === 'string' && statement.text.startsWith('begin')
}

/** Whether the server could read files and start programs by SQL; it needs no such role. */
export async function isSuperuser(db: Db): Promise<boolean> {
  const { rows } = await db.$client.query<{ is_superuser: string }>('show is_superuser')
  return rows[0]?.is_superuser === 'on'
}
