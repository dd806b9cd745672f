import { and, eq, exists, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import type { ReadCtx, TxCtx, WithUser } from '#server/context.ts'
import { ASSETS_OF_ACCOUNT } from '#server/budgets.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'

/** What the files of an account's assets take, and may take; unfinished uploads count. */
export interface AssetRoom {
  readonly count: number
  readonly maxCount: number
  readonly bytes: number
  readonly maxBytes: number
}

const GB = 1e9

/** Reads how much room the user's assets have. */
export async function readAssetRoom(
  ctx: Pick<ReadCtx, 'db' | 'settings'> & WithUser,
): Promise<AssetRoom> {
  const isOfUpload = eq(mediaAssets.uploadRequestId, uploadRequests.id)
  const named = ctx.db
    .select({ one: sql`1` })
    .from(mediaAssets)
    .where(isOfUpload)
  const deleted = ctx.db
    .select({ one: sql`1` })
    .from(mediaAssets)
    .where(and(isOfUpload, isNotNull(mediaAssets.deletedAt)))
  const [taken] = await ctx.db
    .select({
      // The bytes of a refused file stay until it is discarded, but it never becomes an asset.
      count: sql<string>`count(*) filter (where ${or(ne(uploadRequests.state, 'failed'), exists(named))})`,
      bytes: sql<string>`coalesce(sum(${uploadRequests.sizeBytes}), 0)`,
    })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, ctx.user.id),
        eq(uploadRequests.purpose, 'media-asset'),
        ne(uploadRequests.state, 'aborted'),
        isNull(uploadRequests.sourceRemovedAt),
        notExists(deleted),
      ),
    )
  return {
    count: Number(taken?.count ?? 0),
    maxCount: ASSETS_OF_ACCOUNT,
    bytes: Number(taken?.bytes ?? 0),
    maxBytes: ctx.settings.accountAssetBytes,
  }
}

/**
 * Refuses a new asset of `sizeBytes` that the user's assets have no room for. The caller holds the
 * user's lock for new uploads. Needs create:mediaAssets. Refuses: `media-assets/too-many`,
 * `media-assets/account-full`.
 */
export async function refuseBeyondAssetRoom(
  ctx: TxCtx & WithUser,
  { sizeBytes }: { readonly sizeBytes: number },
): Promise<void> {
  requirePermission(ctx.user, 'create:mediaAssets')
  const { count, maxCount, bytes, maxBytes } = await readAssetRoom(ctx)
  if (count >= maxCount)
    throw new Problem(
      'media-assets/too-many',
      `You can keep up to ${maxCount} media assets. Delete one that you do not need, then upload this file again.`,
    )
  if (bytes + sizeBytes > maxBytes)
    throw new Problem(
      'media-assets/account-full',
      `Your media assets may take up to ${inGb(maxBytes)} GB together, and with this one they would take ${inGb(bytes + sizeBytes)} GB. Delete some first, or choose a smaller file.`,
    )
}

/** Rounded up with one place, so that a limit and what exceeds it do not look the same. */
function inGb(bytes: number): string {
  return (Math.ceil((bytes / GB) * 10) / 10).toFixed(1).replace(/\.0$/, '')
}
