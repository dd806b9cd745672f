import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { err, type Result } from '#recipes/result.ts'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { makeAssetPreview } from '#server/media/asset-preview.ts'
import { ToolFault } from '#server/media/process.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { previewKeyOf } from '#server/operations/media/storage/keys.ts'
import { withProcessorTime } from '#server/operations/media/uploads/processor-time.ts'
import { previewTypeOf } from './find.ts'

/** A message to make the short piece of an asset; `signal` aborts when the worker stops. */
interface PreviewWork {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
  readonly isLastAttempt: boolean
}

/** The longest that a message is worked on. */
export const LONGEST_PREVIEW_S = 600

/** Whether a checked file gets a short piece: images are shown by their picture. */
export function needsPreview(
  { purpose }: Pick<UploadRow, 'purpose'>,
  kind: 'video' | 'image' | 'audio',
): boolean {
  return purpose === 'media-asset' && kind !== 'image'
}

/** Queues the making of a short piece; does nothing while one waits. */
export async function enqueuePreview(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<void> {
  const options = { singletonKey: uploadRequestId }
  await ctx.queue.enqueue(ctx.db, 'preview-asset', { uploadRequestId }, options)
}

/**
 * Makes and stores the short piece of an asset. Idempotent. An asset without one can be used all
 * the same, so that neither the file's nor, in the end, the machine's fault fails it. Throws when
 * the machine is at fault, so that the queue tries again.
 */
export async function makePreview(ctx: Ctx, work: PreviewWork): Promise<void> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, work.uploadRequestId))
  if (upload?.assetPreview !== 'waiting' || upload.heldAt !== null) return
  const scratchDir = join(ctx.settings.scratchDir, `preview-${upload.id}-${ctx.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const made = await render(ctx, upload, { ...work, scratchDir })
    if (made.ok) return await store(ctx, upload, made.value)
    ctx.log.info('asset-not-previewed', { uploadRequestId: upload.id, detail: made.error })
    await settle(ctx, upload, 'failed')
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

async function render(
  ctx: Ctx,
  upload: UploadRow,
  { scratchDir, signal, isLastAttempt }: PreviewWork & { readonly scratchDir: string },
): Promise<Result<string, string>> {
  if (ctx.ffmpeg === null) throw new Error('Assets cannot be shown without ffmpeg')
  const probe = readStoredProbe(upload.probe)
  const kind = upload.mediaKind
  if (probe === null || kind === null || kind === 'image') return err('nothing to play')
  const account = { userId: upload.userId, ffmpeg: ctx.ffmpeg }
  try {
    return await ctx.copies.use(planOf(upload), signal, async (path) => {
      const asset = { path, kind, probe, scratchDir, signal }
      return await withProcessorTime(
        ctx,
        account,
        async (ffmpeg) => await makeAssetPreview(ffmpeg, asset),
      )
    })
  } catch (error) {
    // What the system kills again and again would be killed each minute.
    if (!isLastAttempt || signal.aborted || !(error instanceof ToolFault)) throw error
    return err(error.message)
  }
}

/** Stores it, unless the asset was deleted meanwhile: then nothing would remove it. */
async function store(ctx: Ctx, upload: UploadRow, path: string): Promise<void> {
  const key = previewKeyOf(upload.id)
  await ctx.store.putFile(key, path, previewTypeOf(upload))
  if (!(await settle(ctx, upload, 'ready'))) await ctx.store.remove(key)
}

async function settle(
  ctx: Ctx,
  { id }: UploadRow,
  assetPreview: 'ready' | 'failed',
): Promise<boolean> {
  return await inTransaction(ctx, async (ctx) => {
    const [current] = await ctx.db
      .select({ assetPreview: uploadRequests.assetPreview })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, id))
      .for('update')
    // Another worker may have been as far.
    if (current?.assetPreview === assetPreview) return true
    if (current?.assetPreview !== 'waiting') return false
    await ctx.db.update(uploadRequests).set({ assetPreview }).where(eq(uploadRequests.id, id))
    return true
  })
}
