import { Dexie, type Table } from 'dexie'
import type { AccountDb } from './account-db.ts'
import { entryOf } from './library-entry.ts'
import { putUnlessNewer, replaceRows } from './put.ts'
import type { LibraryEntryRow, MediaJobRow } from './rows.ts'

/**
 * The tables of a transaction that writes jobs.
 *
 * [Note: library entries] Each job has a small row in `libraryEntries` beside its own, with what
 * order, search and filters need, because 10,000 whole jobs take the better part of a second to
 * read. The functions of this file write both, and nothing else writes either of them. An entry
 * that did not change is not written, so that a job that only goes on does not make the library
 * read everything again.
 */
export function jobTables(db: AccountDb): Table[] {
  return [db.mediaJobs, db.libraryEntries]
}

/** Writes the jobs of an answer, except where a newer answer wrote the row. In a transaction. */
export async function putJobs(db: AccountDb, rows: readonly MediaJobRow[]): Promise<void> {
  await putUnlessNewer(db.mediaJobs, rows)
  await agree(
    db,
    rows.map((row) => row._id),
  )
}

/** As `replaceRows`, for jobs. In a transaction. @returns the ids that were deleted */
export async function replaceJobs(
  db: AccountDb,
  rows: readonly MediaJobRow[],
  rowsInScope: readonly MediaJobRow[],
  pulledAtEpochMs: number,
): Promise<readonly string[]> {
  const gone = await replaceRows(db.mediaJobs, rows, rowsInScope, pulledAtEpochMs)
  await agree(db, [...rows.map((row) => row._id), ...gone])
  return gone
}

/** Deletes jobs. In a transaction. */
export async function deleteJobs(db: AccountDb, ids: readonly string[]): Promise<void> {
  await db.mediaJobs.bulkDelete([...ids])
  await agree(db, ids)
}

/** This device's jobs made from `oldest` to `newest`, both included; null is the list's own end. */
export async function findJobsMadeBetween(
  db: AccountDb,
  oldest: string | null,
  newest: string | null,
): Promise<readonly MediaJobRow[]> {
  return await db.mediaJobs
    .where('createdAt')
    .between(oldest ?? Dexie.minKey, newest ?? Dexie.maxKey, true, true)
    .toArray()
}

/** Makes the entries of these jobs agree with their rows. */
async function agree(db: AccountDb, ids: readonly string[]): Promise<void> {
  const rows = await db.mediaJobs.bulkGet([...ids])
  const present = await db.libraryEntries.bulkGet([...ids])
  const gone = ids.filter((_, index) => rows[index] === undefined)
  const changed = rows.flatMap((row, index) => {
    const entry = row === undefined ? null : entryOf(row)
    return entry === null || isSame(entry, present[index]) ? [] : [entry]
  })
  if (gone.length > 0) await db.libraryEntries.bulkDelete(gone)
  if (changed.length > 0) await db.libraryEntries.bulkPut(changed)
}

function isSame(entry: LibraryEntryRow, other: LibraryEntryRow | undefined): boolean {
  return JSON.stringify(entry) === JSON.stringify(other)
}
