import { and, eq, isNotNull } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaAssets } from '#server/db/schema.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { refuseAborted } from '#server/operations/media/uploads/refuse-dead.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import type { AssetFacts } from './list.ts'

/**
 * Names a completed asset upload; repeating renames it (`isNew` false). Needs create:mediaAssets.
 * Refuses: `uploads/not-found`, `uploads/other-purpose`, `uploads/not-complete`, `uploads/aborted`.
 */
export async function createMediaAsset(
  ctx: UserCtx,
  input: { readonly uploadRequestId: string; readonly name: string },
): Promise<AssetFacts & { readonly isNew: boolean }> {
  requirePermission(ctx.user, 'create:mediaAssets')
  return await inTransaction(ctx, async (ctx) => {
    const upload = await findUpload(ctx, { id: input.uploadRequestId, lock: 'update' })
    refuseUpload(upload)
    await refuseDeleted(ctx, upload)
    const name = input.name.trim()
    const [renamed] = await ctx.db
      .update(mediaAssets)
      .set({ name })
      .where(and(eq(mediaAssets.uploadRequestId, upload.id), eq(mediaAssets.userId, ctx.user.id)))
      .returning()
    if (renamed !== undefined) return { asset: renamed, upload, isNew: false }
    const asset = onlyRow(
      await ctx.db
        .insert(mediaAssets)
        .values({
          id: ctx.newId(),
          userId: ctx.user.id,
          uploadRequestId: upload.id,
          name,
          createdAt: ctx.clock(),
        })
        .returning(),
    )
    return { asset, upload, isNew: true }
  })
}

function refuseUpload(upload: UploadRow): void {
  if (upload.purpose !== 'media-asset')
    throw new Problem(
      'uploads/other-purpose',
      'This file was uploaded as a video to edit. Please upload it as a media asset.',
    )
  refuseAborted(upload, 'file')
  if (upload.state === 'open')
    throw new Problem(
      'uploads/not-complete',
      'This file is still being uploaded. Please wait until it is complete.',
    )
}

/** A deleted asset whose files still wait for an edit: it does not come back by a new name. */
async function refuseDeleted(ctx: Pick<TxCtx, 'db'>, upload: UploadRow): Promise<void> {
  const [deleted] = await ctx.db
    .select({ deletedAt: mediaAssets.deletedAt })
    .from(mediaAssets)
    .where(and(eq(mediaAssets.uploadRequestId, upload.id), isNotNull(mediaAssets.deletedAt)))
  refuseAborted({ ...upload, sourceRemovedAt: deleted?.deletedAt ?? null }, 'file')
}
