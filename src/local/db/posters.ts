import { keepImage, type ImageDeps } from './images.ts'
import type { ImageRow } from './rows.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'

export interface PosterDeps extends ImageDeps {
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
  deps: PosterDeps,
  uploadId: string,
  poster: Blob,
): Promise<void> {
  const { db, log } = deps
  const put = (row: ImageRow) =>
    db.transaction('rw', db.images, db.uploads, async () => {
      const uploads = await db.uploads.toArray()
      const live = new Set(
        uploads
          .filter(({ state }) => state.kind !== 'discarded')
          .map(({ id }) => uploadPosterKey(id)),
      )
      const kept = await db.images.where('key').startsWith(PREFIX).primaryKeys()
      await db.images.bulkDelete(kept.filter((key) => !live.has(key)))
      if (live.has(row.key)) await db.images.put(row)
    })
  try {
    await keepImage(deps, uploadPosterKey(uploadId), poster, put)
  } catch (thrown) {
    // The disk is full: a missing picture is not worth a message.
    log.debug('a poster was not saved', describeBug(thrown))
  }
}
