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
 * connection makes them queue. Throws `StartError` for tables from before the first migration.
 */
export async function migrateDatabase(connection: Connection, newId: () => string): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await refuseBeforeBaseline(client)
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
  /**
   * When it was written, by which drizzle-orm knows the migrations of a database. The first one has
   * the time of the last of those that it stands for, so a database that has these has it.
   */
  readonly when: number
}

/** How tables from before the first migration are brought to it: for the end of a sentence. */
export const BRING_TO_BASELINE =
  'start the Onecut of commit 86bd2717 with it once, which is the last that can bring it up to date'

/** The migrations of such tables are gone: the first one would meet them as strangers, and fail. */
async function refuseBeforeBaseline(client: Client): Promise<void> {
  const when = await newestIn(client)
  if (when !== null && when < (await firstMigration()).when)
    throw new StartError(
      `The database is of a Onecut from before the first release: ${BRING_TO_BASELINE}.`,
    )
}

/**
 * Makes the tables of an empty database as one migration left them, for rows of a backup; nothing
 * of the catalogue is written.
 */
export async function migrateUpTo(connection: Connection, last: Migration): Promise<void> {
  const journal = await readJournal()
  const entries = journal.entries.filter(({ when }) => when <= last.when)
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

/** Where tables as a migration left them stand among those that this code can make. */
export async function placeOf({ when }: Migration): Promise<'before' | 'known' | 'after'> {
  const { entries } = await readJournal()
  if (entries.some((entry) => entry.when === when)) return 'known'
  return when < (await firstMigration()).when ? 'before' : 'after'
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
  return oneOf((await readJournal()).entries.at(-1))
}

async function firstMigration(): Promise<Migration> {
  return oneOf((await readJournal()).entries[0])
}

function oneOf(entry: Migration | undefined): Migration {
  if (entry === undefined) throw new Error('There are no migrations')
  return entry
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
  const newest = await newestIn(client)
  return newest !== null && newest >= when
}

/** The newest migration that a database has, by when it was written; null before the first. */
export async function newestIn(client: Client): Promise<number | null> {
  const table = 'drizzle.__drizzle_migrations'
  const { rows } = await client.query<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [table],
  )
  if (rows[0]?.is_there !== true) return null
  const found = await client.query<{ when: string | null }>(
    `select max(created_at)::text as when from ${table}`,
  )
  const when = found.rows[0]?.when ?? null
  return when === null ? null : Number(when)
}

const migrationsFolder = join(projectRoot, 'server/migrations')
/** Any number that nothing else in this database locks: "onecut" in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x6f6e6563
