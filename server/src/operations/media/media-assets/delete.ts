/**
 * The end of assets.
 *
 * [Note: deleted assets] A deletion takes the asset out of every list at once. Edits that were
 * asked for and are not finished may still name it, and one that is paid must not fail for it:
 * until the last of them has ended, row and files stay. Paid ones refuse the deletion, so these are
 * edits whose order may yet be paid. Each minute looks for the rows whose edits have ended.
 */
import { and, asc, eq, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import { KEEP_UNFINISHED_DAYS } from '#server/budgets.ts'
import { inTransaction, type Ctx, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaAssets, uploadRequests } from '#server/db/schema.ts'
import { jobInUse } from '#server/operations/media/storage/overview.ts'
import { finishDeletions, removeAssetFiles } from '#server/operations/media/deletions/remove.ts'
import { markAborted, removeBytes } from '#server/operations/media/uploads/abort.ts'
import { lockUpload } from '#server/operations/media/uploads/find.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { findAsset } from './find.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** In one minute; the rest comes next. */
const AT_ONCE = 100

/**
 * Deletes an asset. Needs create:mediaAssets. Refuses: `media-assets/not-found`,
 * `media-assets/in-use` while an edit that is paid, or being paid, and not finished uses it.
 */
export async function deleteMediaAsset(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<void> {
  requirePermission(ctx.user, 'create:mediaAssets')
  const uploadRequestId = await inTransaction(ctx, async (ctx) => {
    const { asset } = await findAsset(ctx, { id, lock: 'update' })
    const { rows } = await ctx.db.execute(sql`
      select 1 from media_jobs j join media_job_tasks t on t.media_job_id = j.id
      where j.user_id = ${ctx.user.id} and ${namedBy(sql`${id}`)} and ${jobInUse} limit 1`)
    if (rows.length > 0)
      throw new Problem(
        'media-assets/in-use',
        'An edit that is paid, or being paid, uses this asset. Delete it when the edit is finished.',
      )
    await ctx.db
      .update(mediaAssets)
      .set({ deletedAt: ctx.clock() })
      .where(eq(mediaAssets.id, asset.id))
    return asset.uploadRequestId
  })
  await removeUnnamed(ctx, uploadRequestId)
}

/** Of a task `t`, whether it names the asset and has not ended. */
function namedBy(assetId: ReturnType<typeof sql>) {
  return sql`(t.status in ('created', 'started') and t.payload::text like '%' || ${assetId} || '%')`
}

/**
 * Ends the deletions that had to wait for edits, and removes files that were sent as assets and got
 * no name for days: no list shows them, so that their owner could not delete them. Harmless to
 * repeat.
 */
export async function sweepAssets(ctx: Ctx): Promise<void> {
  const deleted = await ctx.db
    .select({ uploadRequestId: mediaAssets.uploadRequestId })
    .from(mediaAssets)
    .where(isNotNull(mediaAssets.deletedAt))
    .orderBy(asc(mediaAssets.deletedAt))
    .limit(AT_ONCE)
  for (const { uploadRequestId } of deleted) await removeUnnamed(ctx, uploadRequestId)
  await removeNameless(ctx, new Date(ctx.clock().getTime() - KEEP_UNFINISHED_DAYS * DAY_MS))
}

/** Removes a deleted asset that no unfinished edit names, with its files. */
async function removeUnnamed(ctx: Ctx, uploadRequestId: string): Promise<void> {
  const upload = await inTransaction(ctx, async (ctx) => {
    const row = await lockUpload(ctx, uploadRequestId)
    // While it is checked, the check would store its picture afterwards.
    if (row === undefined || row.state === 'completed' || row.heldAt !== null) return null
    const [asset] = await ctx.db
      .select()
      .from(mediaAssets)
      .where(
        and(eq(mediaAssets.uploadRequestId, uploadRequestId), isNotNull(mediaAssets.deletedAt)),
      )
      .for('update')
    if (asset === undefined || (await isNamed(ctx, asset))) return null
    await removeFiles(ctx, row, 'owner')
    await ctx.db.delete(mediaAssets).where(eq(mediaAssets.id, asset.id))
    return row
  })
  if (upload !== null) await removeFromStore(ctx, upload)
}

/** Whether an edit names it that is not finished and whose video is there. */
async function isNamed(
  ctx: Pick<TxCtx, 'db'>,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<boolean> {
  const { rows } = await ctx.db.execute(sql`
    select 1 from media_jobs j join media_job_tasks t on t.media_job_id = j.id
      join upload_requests u on u.id = j.upload_request_id
    where j.user_id = ${userId} and ${namedBy(sql`${id}`)} and u.source_removed_at is null
      and u.state not in ('aborted', 'failed') limit 1`)
  return rows.length > 0
}

async function removeNameless(ctx: Ctx, before: Date): Promise<void> {
  const nameless = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.purpose, 'media-asset'),
        isNull(uploadRequests.sourceRemovedAt),
        isNull(uploadRequests.heldAt),
        lt(uploadRequests.uploadEndedAt, before),
        notExists(assetOf(ctx)),
      ),
    )
    .orderBy(asc(uploadRequests.uploadEndedAt))
    .limit(AT_ONCE)
  for (const { id } of nameless) {
    const upload = await inTransaction(ctx, async (ctx) => {
      const row = await lockUpload(ctx, id)
      if (row === undefined || row.heldAt !== null) return null
      if (row.state !== 'validated' && row.state !== 'failed') return null
      const [named] = await ctx.db
        .select({ id: mediaAssets.id })
        .from(mediaAssets)
        .where(eq(mediaAssets.uploadRequestId, id))
      if (named !== undefined) return null
      await removeFiles(ctx, row, 'retention')
      return row
    })
    if (upload !== null) await removeFromStore(ctx, upload)
  }
}

function assetOf(ctx: Pick<Ctx, 'db'>) {
  return ctx.db
    .select({ one: sql`1` })
    .from(mediaAssets)
    .where(eq(mediaAssets.uploadRequestId, uploadRequests.id))
}

/** Takes the files of a locked upload out of its row. */
async function removeFiles(
  ctx: TxCtx,
  upload: UploadRow,
  reason: 'owner' | 'retention',
): Promise<void> {
  // The check had opened it again, and its parts did not come.
  if (upload.state === 'open') await markAborted(ctx, { upload })
  else if (upload.state !== 'aborted') await removeAssetFiles(ctx, { upload, reason })
}

async function removeFromStore(ctx: Ctx, upload: UploadRow): Promise<void> {
  if (upload.state === 'open') await removeBytes(ctx, { upload })
  else await finishDeletions(ctx, { uploadRequestId: upload.id })
}
