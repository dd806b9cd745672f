import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import type { Connection } from './connection.ts'
import * as schema from './schema.ts'

export type Db = NodePgDatabase<typeof schema> & { $client: Pool }
/** A transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** A request waits this long for a connection, then it fails instead of waiting for ever. */
const LONGEST_WAIT_MS = 20_000

/**
 * Opens the pool. `onError` receives errors of idle connections, which would otherwise end the
 * process.
 */
export function openDb(connection: Connection, onError: (error: Error) => void): Db {
  const pool = new Pool({ ...connection, max: 12, connectionTimeoutMillis: LONGEST_WAIT_MS })
  pool.on('error', onError)
  // The pool does not listen to a connection in use. Its query fails with the error; without a
  // listener the process would end as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return drizzle(pool, { schema })
}
