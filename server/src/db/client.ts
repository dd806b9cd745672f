import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import type { Connection } from './connection.ts'
import * as schema from './schema.ts'

export type Db = NodePgDatabase<typeof schema> & { $client: Pool }
/** A transaction; everything that takes a `Tx` also works outside one with a `Db`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** For a free connection or a new one: then the request fails instead of waiting for ever. */
const longestWaitMs = 20_000

/**
 * Opens the pool. `onError` receives errors of idle connections, which would otherwise end the
 * process.
 */
export function openDb(connection: Connection, onError: (error: Error) => void): Db {
  const pool = new Pool({ ...connection, max: 12, connectionTimeoutMillis: longestWaitMs })
  pool.on('error', onError)
  // A lent connection has no listener of the pool's; its query fails and says so, the process must
  // not end over it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return drizzle(pool, { schema })
}
