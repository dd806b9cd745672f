import type { AccountDb } from './account-db.ts'
import { imageRow } from './images.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import type { Clock } from '#src/lib/time.ts'

export interface PosterDeps {
  readonly db: AccountDb
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

const PREFIX = 'upload-poster:'

/** Key of an upload's first picture in `images`. */
export function uploadPosterKey(uploadId: string): string {
  return PREFIX + uploadId
}

/**
 * Stores the first picture of an upload on this device, and deletes the pictures of uploads that
 * are gone or discarded. Stores nothing for an upload that this device does not have. Best effort:
 * never rejects. Writes locally; idempotent.
 */
export async function keepUploadPoster(
  { db, clock, log }: PosterDeps,
  uploadId: string,
  poster: Blob,
): Promise<void> {
  try {
    const row = await imageRow(db, uploadPosterKey(uploadId), poster, clock.now())
    await db.transaction('rw', db.images, db.uploads, async () => {
      const uploads = await db.uploads.toArray()
      const live = new Set(
        uploads
          .filter((row) => row.state.kind !== 'discarded')
          .map((row) => uploadPosterKey(row.id)),
      )
      const kept = await db.images.where('key').startsWith(PREFIX).primaryKeys()
      await db.images.bulkDelete(kept.filter((key) => !live.has(key)))
      if (live.has(row.key)) await db.images.put(row)
    })
  } catch (thrown) {
    // The disk is full: a missing picture is not worth a message.
    log.debug('a poster was not saved', describeBug(thrown))
  }
}
