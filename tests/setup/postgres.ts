import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { v7 } from 'uuid'
import { CLUSTER_OWNER } from '#server/db/embedded/initialise.ts'
import { launchPostgres, type EmbeddedPostgres } from '#server/db/embedded/launch.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { startTestQueue } from '#tests/setup/queue.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: EmbeddedPostgres['connection']
  }
}

/** Names the variable with the connection of a PostgreSQL that runners share, as JSON. */
export const SHARED_POSTGRES = 'ONECUT_TEST_POSTGRES'

/**
 * One embedded PostgreSQL a run; its migrated database is the template that tests clone
 * (tests/setup/database.ts).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // `npm test` starts one for all of its runners.
  const shared = process.env[SHARED_POSTGRES]
  if (shared !== undefined) {
    project.provide('postgres', JSON.parse(shared) as EmbeddedPostgres['connection'])
    return () => Promise.resolve()
  }
  const { connection, stop } = await startTemplate()
  project.provide('postgres', connection)
  return stop
}

/** The same without a test run. */
export async function startTemplate(): Promise<{
  readonly connection: EmbeddedPostgres['connection']
  readonly stop: () => Promise<void>
}> {
  const folder = await mkdtemp(join(await quickFolder(), 'onecut-tests-'))
  await chmod(folder, 0o711)
  const postgres = await launchPostgres(folder)
  watchOver(folder, postgres.connection.host)
  await leaveDiskAlone(postgres.connection)
  await migrateDatabase(postgres.connection, v7)
  await (await startTestQueue(postgres.connection, { isWorker: false })).stop()
  return {
    connection: postgres.connection,
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
      await rm(postgres.connection.host, { recursive: true, force: true })
    },
  }
}

const MEMORY_FOLDER = '/dev/shm'
/** A run was seen to use 0.4 GB of it at the same time. */
const NEEDED_BYTES = 4e9

/**
 * In memory where there is room: each clone is some 600 files, and a file system on a disk spends a
 * third of the database's processor time on making and removing them.
 */
async function quickFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(() => null)
  return room !== null && room.bavail * room.bsize > NEEDED_BYTES ? MEMORY_FOLDER : tmpdir()
}

/**
 * After a crash these data are worth nothing, so that nothing waits for the disk. A commit then
 * takes a quarter of the processor time, and a clone and its end a third. Nothing counts rows for
 * the planner by itself: when it came in the middle of a test, the same query had another plan.
 */
async function leaveDiskAlone(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new Client({ ...connection, user: CLUSTER_OWNER, database: 'postgres' })
  await client.connect()
  try {
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
      await client.query(`alter system set ${setting} = off`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** PostgreSQL runs in a process group of its own, so a killed run would leave it running. */
function watchOver(folder: string, socketDir: string): void {
  const script = fileURLToPath(new URL('../fixtures/postgres-watch.ts', import.meta.url))
  const watch = spawn(process.execPath, [script, folder, socketDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  // Only the end of the pipe counts; the pipe must not keep the run alive.
  if ('unref' in watch.stdin && typeof watch.stdin.unref === 'function') watch.stdin.unref()
}
