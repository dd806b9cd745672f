import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, Pool, type PoolClient } from 'pg'
import type { Connection } from './connection.ts'
import * as schema from './schema.ts'
import { again, createAwait, hasEndedStatement, isAway, LONGEST_WAIT_MS } from './unseen-restart.ts'
import { unavailable } from '#server/problems.ts'

export type Db = NodePgDatabase<typeof schema> & { $client: Pool }
/** A transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

const MOST_CONNECTIONS = 12
/** Under way to a connection at once. A call that waits for its session has not read its body. */
const MOST_WAITING = 500

/** What becomes of errors that no query sees. */
interface PoolReports {
  /** Errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void
  /** A query or transaction got no connection. It fails with `system/unavailable`. */
  readonly onNoConnection?: (error: Error) => void
}

/** Opens the pool. It connects when it is used. */
export function openDb(connection: Connection, { onError, onNoConnection }: PoolReports): Db {
  const pool = new PatientPool(connection, onNoConnection ?? (() => undefined))
  pool.on('error', onError)
  // The pool does not listen to a connection in use. Its query fails with the error; without a
  // listener the process would end as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  repeatStatements(pool)
  const db = drizzle(pool, { schema })
  repeatTransactions(db)
  return db
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void
type Release = (release?: boolean) => void

/**
 * A pool that waits for a database that is away ([Note: unseen restart]). Its waits end in a
 * refusal: all connections are in use for too long, the database stays away, or too many wait.
 * Nothing was read or written then, so that the same call may be made again.
 */
class PatientPool extends Pool {
  readonly #report: (error: Error) => void
  readonly #untilBack = createAwait(() => this.#isBack())
  #waiting = 0

  constructor(connection: Connection, report: (error: Error) => void) {
    super({ ...connection, max: MOST_CONNECTIONS, connectionTimeoutMillis: LONGEST_WAIT_MS })
    this.#report = report
  }

  // The base class queries by its own `connect`, with a callback.
  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback === undefined) return this.#inLine().then(givenBackUnlessBegun)
    this.#inLine().then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    )
  }

  async #inLine(): Promise<PoolClient> {
    const { connectionTimeoutMillis = LONGEST_WAIT_MS } = this.options
    const endsAtMs = performance.now() + connectionTimeoutMillis
    this.#waiting += 1
    try {
      for (;;)
        try {
          if (this.#waiting > MOST_WAITING) throw new Error('Too many wait for a connection')
          return await super.connect()
        } catch (error) {
          if (isAway(error) && (await this.#untilBack(endsAtMs))) continue
          this.#report(error as Error)
          throw unavailable()
        }
    } finally {
      this.#waiting -= 1
    }
  }

  async #isBack(): Promise<boolean> {
    try {
      const client = await super.connect()
      client.release()
      return true
    } catch (error) {
      return !isAway(error)
    }
  }
}

/**
 * Gives a connection back when its first statement is a `begin` that fails: it had ended while it
 * was idle. drizzle-orm 0.45 does not (`transaction` in its node-postgres/session.js), so that the
 * pool would have one connection less for ever and could never be closed.
 */
function givenBackUnlessBegun(client: PoolClient): PoolClient {
  const query = Client.prototype.query.bind(client) as (...input: unknown[]) => Promise<unknown>
  const first = (...input: unknown[]): Promise<unknown> => {
    // The prototype's own is back.
    Reflect.deleteProperty(client, 'query')
    if (!textOf(input[0]).startsWith('begin')) return query(...input)
    return query(...input).catch((error: unknown) => {
      client.release(true)
      throw error
    })
  }
  return Object.assign(client, { query: first })
}

/** What is asked outside of a transaction is sent again where nothing of it can have remained. */
function repeatStatements(pool: Pool): void {
  const query = pool.query.bind(pool) as (...input: unknown[]) => Promise<unknown>
  const repeated = async (...input: unknown[]): Promise<unknown> =>
    await again(
      async () => await query(...input),
      (error) => isRead(input[0]) || (hasValues(input[1]) && hasEndedStatement(error)),
    )
  Object.assign(pool, { query: repeated })
}

/** A transaction that broke before its `commit` was sent is run again, all of it. */
function repeatTransactions(db: Db): void {
  const transaction = db.transaction.bind(db)
  const repeated: Db['transaction'] = async (work, config) => {
    let isDone = false
    const once = async (tx: Tx) => {
      const made = await work(tx)
      isDone = true
      return made
    }
    return await again(
      async () => await transaction(once, config),
      () => !isDone,
    )
  }
  Object.assign(db, { transaction: repeated })
}

function isRead(statement: unknown): boolean {
  return /^\(*select\b/.test(textOf(statement))
}

function hasValues(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement
  return isConfig && typeof statement.text === 'string' ? statement.text : ''
}

/** Whether the server could read files and start programs by SQL; it needs no such role. */
export async function isSuperuser(db: Db): Promise<boolean> {
  const { rows } = await db.$client.query<{ is_superuser: string }>('show is_superuser')
  return rows[0]?.is_superuser === 'on'
}
