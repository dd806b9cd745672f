import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'
import type { Connection } from './connection.ts'
import { seedPresets } from './seed.ts'
import * as schema from './schema.ts'
import { projectRoot } from '#server/project-root.ts'

/**
 * Brings the tables and the preset catalogue up to date; repeating it changes nothing. Safe from
 * several processes at once: the migrator itself takes no lock, so an advisory lock on one
 * connection makes them queue.
 */
export async function migrateDatabase(connection: Connection, newId: () => string): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const db = drizzle(client, { schema })
    await migrate(db, { migrationsFolder: join(projectRoot, 'server/migrations') })
    await db.transaction((tx) => seedPresets(tx, newId))
  } finally {
    // Ending the session also lets the lock go.
    await client.end()
  }
}

/** Any number that nothing else in this database locks: "onecut" in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x6f6e6563
