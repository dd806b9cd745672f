import type { Moment, SourceProbe } from '#recipes/types.ts'
import { inTransaction, type ReadCtx, type UserCtx, type WithUser } from '#server/context.ts'
import type { MomentPictures } from '#server/media/moment-pictures.ts'
import type { MomentVideo } from '#server/media/moment-video.ts'
import {
  readStoredMoments,
  readStoredPictures,
  readStoredProbe,
  readStoredVideo,
} from '#server/media/stored-probe.ts'
import { queueSearch } from './queue-search.ts'
import { notFound, Problem } from '#server/problems.ts'
import { findUpload } from './find.ts'
import { momentPicturesKeyOf, momentVideoKeyOf } from '#server/operations/media/storage/keys.ts'
import { refuseDead } from './refuse-dead.ts'

/** What a moment board of an upload chooses from, as far as it is known. */
export type KnownMoments = { readonly uploadId: string } & (
  | { readonly state: 'unchecked' }
  | { readonly state: 'searching'; readonly source: SourceProbe }
  | {
      readonly state: 'ready'
      readonly source: SourceProbe
      readonly moments: readonly Moment[]
      readonly pictures: MomentPictures
      /** Null where the search of an earlier version made none; the next one does. */
      readonly video: MomentVideo | null
    }
)

/**
 * The moments of a video and where its pictures were taken. Queues the search of a checked video
 * that has none: of an account with many videos not all are searched ahead. Refuses:
 * `uploads/not-found`, `uploads/other-purpose`, `uploads/aborted`, `uploads/failed`,
 * `uploads/held`.
 */
export async function readUploadMoments(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<KnownMoments> {
  const upload = await findUpload(ctx, { id })
  if (upload.purpose !== 'media-job')
    throw new Problem(
      'uploads/other-purpose',
      'This file was uploaded as a media asset. Moments can be chosen of a video only.',
    )
  refuseDead(upload)
  const uploadId = upload.id
  const source = readStoredProbe(upload.probe)
  if (upload.state !== 'validated' || source === null) return { uploadId, state: 'unchecked' }
  const moments = readStoredMoments(upload.moments)
  const pictures = readStoredPictures(upload.momentPictures)
  const video = readStoredVideo(upload.momentVideo)
  if (moments === null || pictures === null || video === null)
    await inTransaction(ctx, async (ctx) => await queueSearch(ctx, { uploadRequestId: id }))
  return moments === null || pictures === null
    ? { uploadId, state: 'searching', source }
    : { uploadId, state: 'ready', source, moments, pictures, video }
}

/** Refuses: `uploads/not-found`, `uploads/held`, `media-jobs/thumbnail-not-found`. */
export async function findMomentPictures(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { id }: { readonly id: string },
): Promise<{ readonly uploadId: string; readonly objectKey: string }> {
  const upload = await findUpload(ctx, { id })
  const pictures = readStoredPictures(upload.momentPictures)
  if (pictures === null || pictures.placesMs.length === 0)
    throw notFound('media-jobs/thumbnail-not-found')
  return { uploadId: upload.id, objectKey: momentPicturesKeyOf(upload.id) }
}

/** Refuses: `uploads/not-found`, `uploads/held`, `media-jobs/thumbnail-not-found`. */
export async function findMomentVideo(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { id }: { readonly id: string },
): Promise<{ readonly uploadId: string; readonly objectKey: string }> {
  const upload = await findUpload(ctx, { id })
  if ((readStoredVideo(upload.momentVideo)?.stretches ?? []).length === 0)
    throw notFound('media-jobs/thumbnail-not-found')
  return { uploadId: upload.id, objectKey: momentVideoKeyOf(upload.id) }
}
