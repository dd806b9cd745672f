import { Dexie } from 'dexie'
import { accountDbName, type AccountDb, type DbOptions } from './account-db.ts'
import { writeAppLock } from './app-lock.ts'
import {
  accountsWithFiles,
  emptyRoom,
  removeAccountFiles,
  type OpenFiles,
} from './account-files.ts'
import { FACTS } from './facts.ts'
import { dropUsedSharedFilesOf } from './shared-files.ts'
import { clearKeptLog } from './kept-log.ts'
import { writePendingWipe, type DeviceDb } from './device-db.ts'
import { nouns } from '#src/local/nouns/all.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { jobTables } from './media-jobs.ts'

/**
 * A tab that ignores `versionchange` may hold the database open. Its rows are deleted by then; only
 * the empty database is left.
 */
const BLOCKED_AFTER_MS = 5000

export interface WipeDeps {
  readonly deviceDb: DeviceDb
  readonly clock: Clock
  /** Null where the context has none (insecure origin, tests). */
  readonly caches: CacheStorage | null
  /** Null where the browser has no file system of its own. */
  readonly files: OpenFiles | null
  /** Ends what the browser gets for an account, beside the app; absent where it gets nothing. */
  readonly endDownloads?: (userId: string) => Promise<void>
  readonly dbOptions?: DbOptions
}
export type WipeFailure = { readonly code: 'wipe/blocked' }

/** Prefix of every cache with data of an account. */
function accountCachePrefix(userId: string): string {
  return `onecut-${userId}-`
}

/**
 * Removes everything of an account from this device: rows, blobs, drafts, files, caches, kept log
 * lines. Local only, works offline, idempotent. End the workers first. Clears the rows before it
 * deletes the database, so that a tab that blocks the deletion keeps nothing; a blocked deletion is
 * stored and finished at the next start (`wipe/blocked`).
 */
export async function wipeAccount(
  deps: WipeDeps,
  userId: string,
  openDb: AccountDb | null,
): Promise<Result<void, WipeFailure>> {
  await writePendingWipe(deps.deviceDb, userId, true)
  if (openDb !== null) {
    if (openDb.isOpen()) await clearAll(openDb)
    openDb.close({ disableAutoOpen: true })
  }
  await deps.endDownloads?.(userId)
  await dropCaches(deps.caches, userId)
  await clearKeptLog(deps.deviceDb)
  if (deps.files !== null) await dropUsedSharedFilesOf(deps.deviceDb, deps.files, userId)
  const noFiles = deps.files === null || (await removeAccountFiles(deps.files, userId))
  const removed = await deleteWithin(deps, accountDbName(userId))
  // Not before: what was sealed by it is gone.
  await writeAppLock(deps.deviceDb, userId, null)
  if (!removed || !noFiles) return err({ code: 'wipe/blocked' })
  await writePendingWipe(deps.deviceDb, userId, false)
  return ok(undefined)
}

/**
 * Removes the files of accounts that have no database here. A service worker may write a step while
 * its account is wiped, and be ended before it removes it; then no row and no pending wipe knows of
 * it. Local only, idempotent. Does nothing where the browser does not list its databases.
 */
export async function removeOwnerlessFiles({
  files,
  dbOptions,
}: Pick<WipeDeps, 'files' | 'dbOptions'>): Promise<void> {
  const factory: Partial<IDBFactory> = dbOptions?.indexedDB ?? globalThis.indexedDB
  if (files === null || factory.databases === undefined) return
  // First the folders: each has a database before.
  const folders = await accountsWithFiles(files)
  if (folders.length === 0) return
  const known = new Set((await factory.databases()).map(({ name }) => name))
  for (const userId of folders)
    if (!known.has(accountDbName(userId))) await removeAccountFiles(files, userId)
}

/** Removes the files that an account keeps here, which alone may be large. Idempotent. */
export async function clearKeptFiles(
  { files }: Pick<WipeDeps, 'files'>,
  userId: string,
  db: AccountDb | null,
): Promise<void> {
  // First the rows: what gets a file removes it when its row has gone.
  if (db?.isOpen() === true) await db.keptFiles.clear()
  if (files !== null) await emptyRoom(files, userId, 'kept')
}

/**
 * Removes everything of an account but its unfinished work, and closes its database: what the
 * server gave, pictures, forms, caches, kept log lines. Local only, works offline, idempotent.
 */
export async function wipeAllButWork(
  deps: WipeDeps,
  userId: string,
  openDb: AccountDb,
): Promise<void> {
  await clearAllButWork(deps, userId, openDb)
  openDb.close({ disableAutoOpen: true })
  await dropCaches(deps.caches, userId)
  await clearKeptLog(deps.deviceDb)
}

/**
 * Deletes what the server gave, rows and kept files: for a session that ended while uploads or
 * intentions of this account are still waiting (docs/product-decisions.md#leaving-the-device).
 */
export async function clearAllButWork(
  { files, endDownloads }: Pick<WipeDeps, 'files' | 'endDownloads'>,
  userId: string,
  db: AccountDb,
): Promise<void> {
  // First the rows: what gets a file removes it when its row has gone.
  await clearPulledRows(db)
  await endDownloads?.(userId)
  if (files !== null) await emptyRoom(files, userId, 'kept')
}

/** Deletes the rows that the server gave, and those of the files that came of it. */
export async function clearPulledRows(db: AccountDb): Promise<void> {
  const pulled = [
    ...jobTables(db),
    db.orders,
    ...nouns.map(({ table }) => db.table(table)),
    db.facts,
    db.images,
    db.drafts,
    db.keptFiles,
  ]
  await db.transaction('rw', pulled, async () => {
    // What was hidden stays hidden when its owner logs in again.
    const hidden = await db.facts.get(FACTS.hiddenScenes)
    await Promise.all(pulled.map((table) => table.clear()))
    if (hidden !== undefined) await db.facts.put(hidden)
  })
}

async function clearAll(db: AccountDb): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    await Promise.all(db.tables.map((table) => table.clear()))
  })
}

async function dropCaches(caches: CacheStorage | null, userId: string): Promise<void> {
  if (caches === null) return
  const names = await caches.keys()
  await Promise.all(
    names
      .filter((name) => name.startsWith(accountCachePrefix(userId)))
      .map((name) => caches.delete(name)),
  )
}

async function deleteWithin(deps: WipeDeps, name: string): Promise<boolean> {
  const timer = new AbortController()
  const db = new Dexie(name, deps.dbOptions ?? {})
  // Queries that are just ending hold the database for a moment, of which Dexie would warn.
  db.on('blocked', () => false)
  const deletion = db.delete().then(() => true)
  const limit = deps.clock.sleep(BLOCKED_AFTER_MS, timer.signal).then(
    () => false,
    () => false,
  )
  try {
    return await Promise.race([deletion, limit])
  } finally {
    timer.abort()
  }
}
