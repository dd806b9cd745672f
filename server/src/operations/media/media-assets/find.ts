import { and, eq, isNull } from 'drizzle-orm'
import type { ReadCtx, UserCtx, WithUser } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { previewKeyOf } from '#server/operations/media/storage/keys.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound } from '#server/problems.ts'
import type { AssetFacts } from './list.ts'

/**
 * One of the user's assets that is not deleted, or `media-assets/not-found`, or `uploads/held`.
 * `lock` holds its row until the transaction ends.
 */
export async function findAsset(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { id, lock }: { readonly id: string; readonly lock?: 'update' },
): Promise<AssetFacts> {
  const query = ctx.db
    .select({ asset: mediaAssets, upload: uploadRequests })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(
      and(
        eq(mediaAssets.id, id),
        eq(mediaAssets.userId, ctx.user.id),
        isNull(mediaAssets.deletedAt),
      ),
    )
  const [found] = lock === undefined ? await query : await query.for(lock, { of: mediaAssets })
  if (found === undefined) throw notFound('media-assets/not-found')
  refuseHeld(found.upload)
  return found
}

/** A file that shows an asset: it never changes under its tag. */
interface AssetFile {
  readonly objectKey: string
  readonly contentType: string
  readonly tag: string
}

/**
 * Where the picture of one of the user's assets is stored. Needs read:mediaAssets. Refuses:
 * `media-assets/not-found`, `media-assets/file-not-found`.
 */
export async function findAssetThumbnail(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<AssetFile> {
  const { upload } = await readAsset(ctx, id)
  if (upload.thumbnailKey === null) throw notFound('media-assets/file-not-found')
  return { objectKey: upload.thumbnailKey, contentType: 'image/jpeg', tag: upload.id }
}

/**
 * Where the short piece of one of the user's assets is stored. Needs read:mediaAssets. Refuses:
 * `media-assets/not-found`, `media-assets/file-not-found`.
 */
export async function findAssetPreview(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<AssetFile> {
  const { upload } = await readAsset(ctx, id)
  if (upload.assetPreview !== 'ready') throw notFound('media-assets/file-not-found')
  return {
    objectKey: previewKeyOf(upload.id),
    contentType: previewTypeOf(upload),
    tag: upload.id,
  }
}

/** The type of an asset's short piece. */
export function previewTypeOf({ mediaKind }: Pick<UploadRow, 'mediaKind'>): string {
  return mediaKind === 'audio' ? 'audio/mp4' : 'video/mp4'
}

async function readAsset(ctx: UserCtx, id: string): Promise<AssetFacts> {
  requirePermission(ctx.user, 'read:mediaAssets')
  return await findAsset(ctx, { id })
}
