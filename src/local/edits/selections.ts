import type { AccountDb } from '#src/local/db/account-db.ts'
import type { TaskRequest } from './task-requests.ts'

/** The edits chosen for an upload on this device; null when nothing was ever chosen. Local read. @param key its upload request id */
export async function readSelection(db: AccountDb, key: string): Promise<readonly TaskRequest[] | null> {
  return (await db.selections.get(key))?.requests ?? null
}

/** Keeps the chosen edits, so that a reload or a crash loses none. Local write, idempotent. */
export async function saveSelection(db: AccountDb, key: string, requests: readonly TaskRequest[], nowEpochMs: number): Promise<void> {
  await db.selections.put({ key, requests, updatedAtEpochMs: nowEpochMs })
}
