import { and, desc, eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { findUpload, type UploadRow } from '#server/operations/uploads/find.ts'

export type MediaAssetView = components['schemas']['MediaAsset']
type FormatSlug = 'video' | 'image' | 'audio' | 'unsupported'

/**
 * The user's assets, newest first. Needs read:mediaAssets. `formatSlug` leaves out others and those
 * still being read.
 */
export async function listMediaAssets(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  formatSlug: FormatSlug | undefined,
): Promise<MediaAssetView[]> {
  requirePermission(user, 'read:mediaAssets')
  const rows = await deps.db
    .select({ asset: mediaAssets, upload: uploadRequests })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(eq(mediaAssets.userId, user.id))
    .orderBy(desc(mediaAssets.createdAt), desc(mediaAssets.id))
  return rows
    .map(({ asset, upload }) => viewAsset(asset, upload))
    .filter((view) => formatSlug === undefined || view.format?.slug === formatSlug)
}

/**
 * Names a completed asset upload, once: a second call renames it. Needs create:mediaAssets.
 * Refuses: 404, 409 `uploads/other-purpose`, `uploads/not-complete`, `uploads/aborted`.
 */
export async function createMediaAsset(
  deps: Deps,
  user: CurrentUser,
  body: { uploadRequestId: string; name: string },
): Promise<{ asset: MediaAssetView; isNew: boolean }> {
  requirePermission(user, 'create:mediaAssets')
  return await deps.db.transaction(async (tx) => {
    const upload = await findUpload(tx, user.id, body.uploadRequestId, 'update')
    if (upload.purpose !== 'media-asset')
      throw new Problem(
        'uploads/other-purpose',
        'This file was uploaded as a video to edit. Please upload it as a media asset.',
      )
    if (upload.state === 'aborted')
      throw new Problem(
        'uploads/aborted',
        'This upload was discarded or has expired. Please upload the file again.',
      )
    if (upload.state === 'open')
      throw new Problem(
        'uploads/not-complete',
        'This file is still being uploaded. Please wait until it is complete.',
      )
    const name = body.name.trim()
    const [renamed] = await tx
      .update(mediaAssets)
      .set({ name })
      .where(and(eq(mediaAssets.uploadRequestId, upload.id), eq(mediaAssets.userId, user.id)))
      .returning()
    if (renamed !== undefined) return { asset: viewAsset(renamed, upload), isNew: false }
    const [made] = await tx
      .insert(mediaAssets)
      .values({
        id: deps.newId(),
        userId: user.id,
        uploadRequestId: upload.id,
        name,
        createdAt: deps.clock(),
      })
      .returning()
    return { asset: viewAsset(made!, upload), isNew: true } // an insert without `on conflict` returns its row or throws
  })
}

function viewAsset(asset: typeof mediaAssets.$inferSelect, upload: UploadRow): MediaAssetView {
  return {
    _id: asset.id,
    name: asset.name,
    uploadRequestId: asset.uploadRequestId,
    format: viewFormat(upload),
    createdAt: asset.createdAt.toISOString(),
  }
}

/**
 * Null while the file is being read. Pictures of assets have no address yet, so the app shows its
 * placeholder.
 */
function viewFormat(upload: UploadRow): MediaAssetView['format'] {
  if (upload.state === 'failed') return { slug: 'unsupported' }
  const duration = readStoredProbe(upload.probe)?.durationMs ?? 0
  switch (upload.mediaKind) {
    case 'video':
      return { slug: 'video', thumbnailUrl: null, duration }
    case 'image':
      return { slug: 'image', thumbnailUrl: null }
    case 'audio':
      return { slug: 'audio', previewUrl: null, duration }
    case null:
      return null
  }
}
