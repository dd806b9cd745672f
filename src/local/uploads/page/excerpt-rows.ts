import type { Stretch } from '#recipes/stretch.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isOnServer, isReceived } from '#src/local/db/upload-states.ts'

/** The excerpts of an upload on this device, oldest first. */
export async function excerptsOf(db: AccountDb, uploadId: string): Promise<readonly UploadRow[]> {
  const rows = await db.uploads.filter(({ excerpt }) => excerpt?.uploadId === uploadId).toArray()
  return rows.toSorted((a, b) => a.createdAtEpochMs - b.createdAtEpochMs)
}

/** Whether an excerpt has arrived or is on its way. */
export function isOfUse({ state }: UploadRow): boolean {
  return isOnServer(state.kind)
}

/** What an excerpt holds of its video. */
export function heldBy({ excerpt }: UploadRow): readonly Stretch[] {
  return excerpt?.stretches ?? []
}

/**
 * The excerpt that is spoken of: the first one on its way, else the last that has arrived. Null
 * where there is none, or the server took none.
 */
export function shownExcerpt(rows: readonly UploadRow[]): UploadRow | null {
  const shown = rows.filter(isOfUse)
  return shown.find(({ state }) => !isReceived(state.kind)) ?? shown.at(-1) ?? null
}
