import { eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { mediaAssets } from '#server/db/schema.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { findAsset } from './find.ts'
import type { AssetFacts } from './list.ts'

/**
 * Gives an asset a new name; repeating changes nothing. Needs create:mediaAssets. Refuses:
 * `media-assets/not-found`.
 */
export async function renameMediaAsset(
  ctx: UserCtx,
  input: { readonly id: string; readonly name: string },
): Promise<AssetFacts> {
  requirePermission(ctx.user, 'create:mediaAssets')
  return await inTransaction(ctx, async (ctx) => {
    const { asset, upload } = await findAsset(ctx, { id: input.id, lock: 'update' })
    const name = input.name.trim()
    await ctx.db.update(mediaAssets).set({ name }).where(eq(mediaAssets.id, asset.id))
    return { asset: { ...asset, name }, upload }
  })
}
