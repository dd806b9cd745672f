import { and, desc, eq, isNull } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import type { AssetRow, UploadRow } from '#server/db/rows.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

/** An asset with the upload that it names. */
export interface AssetFacts {
  readonly asset: AssetRow
  readonly upload: UploadRow
}

/** The kind of file that an asset turned out to be. */
type AssetFormat = 'video' | 'image' | 'audio' | 'unsupported'

/**
 * The user's assets, newest first. Needs read:mediaAssets. `formatSlug` leaves out other formats
 * and assets that are still being read.
 */
export async function listMediaAssets(
  ctx: UserCtx,
  { formatSlug }: { readonly formatSlug?: AssetFormat | undefined },
): Promise<AssetFacts[]> {
  requirePermission(ctx.user, 'read:mediaAssets')
  const rows = await ctx.db
    .select({ asset: mediaAssets, upload: uploadRequests })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(and(eq(mediaAssets.userId, ctx.user.id), isNull(mediaAssets.deletedAt)))
    .orderBy(desc(mediaAssets.createdAt), desc(mediaAssets.id))
  return rows.filter(({ upload }) => formatSlug === undefined || formatOf(upload) === formatSlug)
}

/** The format of an asset's file; null while it is being read, or sent again. */
export function formatOf(upload: Pick<UploadRow, 'state' | 'mediaKind'>): AssetFormat | null {
  const isUnusable = upload.state === 'failed' || upload.state === 'aborted'
  return isUnusable ? 'unsupported' : upload.mediaKind
}
