import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'
import type { Connection } from './connection.ts'
import { seedPresets } from './seed.ts'
import * as schema from './schema.ts'
import { projectRoot } from '#server/project-root.ts'
import { StartError } from '#server/start-error.ts'

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
    await migrate(db, { migrationsFolder })
    await db.transaction((tx) => seedPresets(tx, newId))
  } finally {
    // Ending the session also lets the lock go.
    await client.end()
  }
}

/** One step of the tables. */
export interface Migration {
  readonly tag: string
  /** When it was written, by which drizzle-orm knows the migrations of a database. */
  readonly when: number
}

/**
 * Makes the tables of an empty database as one migration left them, for rows of a backup; nothing
 * of the catalogue is written.
 */
export async function migrateUpTo(connection: Connection, last: Migration): Promise<void> {
  const journal = await readJournal()
  const entries = journal.entries.slice(
    0,
    journal.entries.findIndex(({ tag }) => tag === last.tag) + 1,
  )
  const folder = await mkdtemp(join(tmpdir(), 'onecut-migrations-'))
  const client = new Client(connection)
  try {
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
    for (const { tag } of entries)
      await copyFile(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`))
    await client.connect()
    await migrate(drizzle(client, { schema }), { migrationsFolder: folder })
  } finally {
    await client.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether this code has a migration. */
export async function hasMigrationFile({ tag, when }: Migration): Promise<boolean> {
  const { entries } = await readJournal()
  return entries.some((entry) => entry.tag === tag && entry.when === when)
}

interface Journal {
  readonly entries: readonly Migration[]
}

async function readJournal(): Promise<Journal> {
  const text = await readFile(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  return JSON.parse(text) as Journal
}

/** The migration that this code needs: the newest that it has. */
export async function newestMigration(): Promise<Migration> {
  const newest = (await readJournal()).entries.at(-1)
  if (newest === undefined) throw new Error('There are no migrations')
  return newest
}

/**
 * Waits until another process has brought the database up to what this code needs. Throws
 * `StartError` when none does for a minute.
 */
export async function awaitMigration(
  connection: Connection,
  { longestMs = 60_000, lookMs = 500 }: { longestMs?: number; lookMs?: number } = {},
): Promise<void> {
  const { tag, when } = await newestMigration()
  const client = new Client(connection)
  await client.connect()
  try {
    for (const endsAt = performance.now() + longestMs; !(await hasMigration(client, when));) {
      if (performance.now() > endsAt)
        throw new StartError(
          `The database lacks the migration ${tag}; start a process with ONECUT_ROLE=migrate first.`,
        )
      await setTimeout(lookMs)
    }
  } finally {
    await client.end()
  }
}

async function hasMigration(client: Client, when: number): Promise<boolean> {
  const table = 'drizzle.__drizzle_migrations'
  const { rows } = await client.query<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [table],
  )
  if (rows[0]?.is_there !== true) return false
  const found = await client.query(`select 1 from ${table} where created_at >= $1`, [when])
  return found.rows.length > 0
}

const migrationsFolder = join(projectRoot, 'server/migrations')
/** Any number that nothing else in this database locks: "onecut" in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x6f6e6563
