import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { AssetSource } from '#recipes/types.ts'
import type { ReadCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'

/** An asset that an edit shows, and the upload that holds its file. */
interface StoredAsset {
  readonly asset: AssetSource
  readonly upload: UploadRow
}

/**
 * The pictures and videos among the user's assets of these ids, also deleted ones: an edit that was
 * asked for before may still show them ([Note: deleted assets]).
 */
export async function readAssetSources(
  ctx: Pick<ReadCtx, 'db'>,
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
): Promise<readonly StoredAsset[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({ id: mediaAssets.id, upload: uploadRequests })
    .from(mediaAssets)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaAssets.uploadRequestId))
    .where(
      and(
        inArray(mediaAssets.id, [...ids]),
        eq(mediaAssets.userId, userId),
        eq(uploadRequests.state, 'validated'),
        isNull(uploadRequests.heldAt),
      ),
    )
  return rows.flatMap(({ id, upload }) => {
    const probe = readStoredProbe(upload.probe)
    const kind = upload.mediaKind
    return probe === null || kind === null || kind === 'audio'
      ? []
      : [{ asset: { id, kind, probe }, upload }]
  })
}
