import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isOnServer } from '#src/local/db/upload-states.ts'

/**
 * The upload request of this device's newest video whose edits are still to be sent, or being sent;
 * null when there is none. Local read.
 */
export async function readUploadToEdit(db: AccountDb): Promise<string | null> {
  return db.transaction('r', db.uploads, db.mediaJobs, db.outbox, async () => {
    const newestFirst = await db.uploads.orderBy('createdAtEpochMs').reverse().toArray()
    for (const row of newestFirst.filter(isVideo))
      if (row.uploadRequestId !== null && !(await isSent(db, row.uploadRequestId)))
        return row.uploadRequestId
    return null
  })
}

function isVideo({ purpose, state }: UploadRow): boolean {
  return purpose === 'media-job' && isOnServer(state.kind)
}

/** Whether its edits are a job, and nothing of them waits on this device any more. */
async function isSent(db: AccountDb, uploadRequestId: string): Promise<boolean> {
  const waiting = await db.outbox
    .filter(
      ({ intent }) =>
        intent.kind === 'submit-edits' &&
        intent.uploadRequestId === uploadRequestId &&
        (intent.redoOfTaskId ?? null) === null,
    )
    .count()
  if (waiting > 0) return false
  return (await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).count()) > 0
}
