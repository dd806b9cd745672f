/**
 * What held videos look like, so that copies of them are recognised (recognise.ts).
 *
 * [Note: known videos] The pictures of a video are taken once it is held, by the worker, because a
 * removal takes the file away: its bytes wait for that, a day at most. A release forgets them.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNotNull, isNull, notExists, or, sql, type SQL } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { deletionLog, knownVideos, uploadRequests } from '#server/db/schema.ts'
import { keepPictures, LONGEST_KEEP_S } from '#server/media/picture-print.ts'
import { ToolFault } from '#server/media/process.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'

/** A message to look at a held video; `signal` aborts when the worker stops. */
interface KnowingWork {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
  readonly isLastAttempt: boolean
}

/** The longest that a message is worked on. */
export const LONGEST_KNOWING_S = LONGEST_KEEP_S + 10 * 60
/** How long the bytes of a removed video wait for it. */
const WAIT_MS = 24 * 60 * 60 * 1000

/** Queues a look at each video that is held and not known yet. */
export async function enqueueKnowing(ctx: Ctx): Promise<void> {
  const unknown = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(isUnknown(ctx), or(isNull(uploadRequests.sourceRemovedAt), sql`exists ${waits(ctx)}`)),
    )
  for (const { id: uploadRequestId } of unknown)
    await inTransaction(ctx, async ({ db, queue }) => {
      const options = { singletonKey: uploadRequestId }
      await queue.enqueue(db, 'know-video', { uploadRequestId }, options)
    })
}

/**
 * Keeps what a held video looks like. Idempotent. Throws when the machine is at fault, so that the
 * queue tries again; after the last attempt, and where nothing can be read, it keeps that.
 */
export async function knowVideo(ctx: Ctx, work: KnowingWork): Promise<void> {
  const [upload] = await ctx.db
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.id, work.uploadRequestId), isUnknown(ctx)))
  if (upload === undefined) return
  const pictures = await lookAt(ctx, upload, work)
  await inTransaction(ctx, async (ctx) => {
    const [current] = await ctx.db
      .select({ heldAt: uploadRequests.heldAt })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, upload.id))
      .for('update')
    if (current === undefined || current.heldAt === null) return
    await ctx.db
      .insert(knownVideos)
      .values({ uploadRequestId: upload.id, pictures, madeAt: ctx.clock() })
      .onConflictDoNothing()
  })
}

async function lookAt(
  ctx: Ctx,
  upload: UploadRow,
  { signal, isLastAttempt }: KnowingWork,
): Promise<Uint8Array | null> {
  const { ffmpeg } = ctx
  if (ffmpeg === null) throw new Error('Videos cannot be looked at without ffmpeg')
  const probe = readStoredProbe(upload.probe)
  if (probe === null || (await ctx.store.head(upload.objectKey)) === null) return null
  const folder = join(ctx.settings.scratchDir, `know-${upload.id}-${ctx.newId()}`)
  await mkdir(folder, { recursive: true })
  try {
    return await ctx.copies.use(
      planOf(upload),
      signal,
      async (path) => await keepPictures(ffmpeg, probe, { path, folder, signal }),
    )
  } catch (error) {
    if (!isLastAttempt || signal.aborted || !(error instanceof ToolFault)) throw error
    ctx.log.error('reports/not-known', error, { uploadRequestId: upload.id })
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether the bytes of a removed video have to wait until it is known. */
export async function isToBeKnown(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { uploadRequestId, begunAt }: { readonly uploadRequestId: string; readonly begunAt: Date },
): Promise<boolean> {
  if (begunAt.getTime() < ctx.clock().getTime() - WAIT_MS) return false
  const rows = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.id, uploadRequestId), isUnknown(ctx)))
  return rows.length > 0
}

/** Forgets a video that is given back. */
export async function forgetVideo(
  { db }: Pick<TxCtx, 'db'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<void> {
  await db.delete(knownVideos).where(eq(knownVideos.uploadRequestId, uploadRequestId))
}

/** A checked video that is held, of which no pictures are kept. */
function isUnknown({ db }: Pick<Ctx, 'db'>): SQL | undefined {
  return and(
    isNotNull(uploadRequests.heldAt),
    eq(uploadRequests.mediaKind, 'video'),
    isNotNull(uploadRequests.probe),
    notExists(
      db.select().from(knownVideos).where(eq(knownVideos.uploadRequestId, uploadRequests.id)),
    ),
  )
}

/** The line of the log that says that the file still has to be deleted. */
function waits({ db }: Pick<Ctx, 'db'>) {
  return db
    .select({ id: deletionLog.id })
    .from(deletionLog)
    .where(
      and(
        eq(deletionLog.uploadRequestId, uploadRequests.id),
        eq(deletionLog.what, 'source'),
        isNull(deletionLog.doneAt),
      ),
    )
}
