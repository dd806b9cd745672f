import { jobThumbnailKey } from './images.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { uploadPosterKey } from '#src/local/db/posters.ts'
import type { MediaJobRow } from '#src/local/db/rows.ts'

/**
 * Takes away what this device keeps of videos that the server holds after a report: pictures, and
 * the copy of a file that was too small for a handle. In the transaction that writes the rows.
 * Local write; idempotent.
 */
export async function forgetHeld(db: AccountDb, rows: readonly MediaJobRow[]): Promise<void> {
  const held = rows.filter(({ value }) => value.isHeld)
  if (held.length === 0) return
  await db.images.bulkDelete(held.map(({ _id }) => jobThumbnailKey(_id)))
  const uploads = await db.uploads
    .where('uploadRequestId')
    .anyOf(held.map(({ uploadRequestId }) => uploadRequestId))
    .primaryKeys()
  await db.images.bulkDelete(uploads.map(uploadPosterKey))
  await db.blobs.bulkDelete(uploads)
  await db.handles.bulkDelete(uploads)
}

/** Notes on this device that a job is held, which the server said instead of showing it. */
export async function markHeld(db: AccountDb, mediaJobId: string): Promise<void> {
  await db.transaction('rw', heldTables(db), async () => {
    const row = await db.mediaJobs.get(mediaJobId)
    if (row === undefined) return
    const tasks = row.value.tasks.map((task) => ({ ...task, outputs: [] }))
    const held = { ...row, value: { ...row.value, isHeld: true, thumbnailUrl: null, tasks } }
    await db.mediaJobs.put(held)
    await forgetHeld(db, [held])
  })
}

/** What a transaction that may call `forgetHeld` has to name. */
export function heldTables(db: AccountDb) {
  return [db.mediaJobs, db.orders, db.images, db.uploads, db.blobs, db.handles]
}
