import type { AccountDb } from './account-db.ts'
import type { FoundMomentsRow } from './rows.ts'
import type { FoundMoments } from '#src/local/edits/found-moments.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** Raised when what a search finds changes: moments of an older one are searched again. */
const VERSION = 1

/** What a search is of. */
export type FoundVideo = Pick<PreviewVideo, 'uploadId' | 'source'>

/**
 * What moments are of, beside the upload: a trim in the place of the whole, or another of several
 * pictures, shows something else.
 */
function foundOf({ source }: FoundVideo): string {
  const { durationMs, width, height, bitRate, tracks } = source
  return JSON.stringify([VERSION, durationMs, width, height, bitRate, tracks?.picture ?? 0])
}

/** What this device found in a video before; null for nothing. */
export async function readFoundMoments(
  db: AccountDb,
  video: FoundVideo,
): Promise<FoundMoments | null> {
  const row = await db.foundMoments.get(video.uploadId)
  return row === undefined || row.of !== foundOf(video) ? null : row
}

/** Keeps it as long as its upload is on this device. */
export async function keepFoundMoments(
  db: AccountDb,
  video: FoundVideo,
  { moments, isQuick }: FoundMoments,
): Promise<void> {
  const row: FoundMomentsRow = { uploadId: video.uploadId, of: foundOf(video), moments, isQuick }
  await db.transaction('rw', db.uploads, db.foundMoments, async () => {
    const count = await db.uploads.where('id').equals(video.uploadId).count()
    if (count > 0) await db.foundMoments.put(row)
  })
}
