import { setImmediate, setTimeout } from 'node:timers/promises'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { MovingPiece } from '#recipes/moment-video.ts'
import { tilePlaces, usualPassages } from '#recipes/picture-places.ts'
import type { Moment, SourceProbe, TimelinePassage } from '#recipes/types.ts'
import {
  KEEP_TRYING_AHEAD_MS,
  RENDER_ROOM_BYTES,
  SEARCH_AHEAD_REST_S,
  SLOT_LOOK_MS,
} from '#server/budgets.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { recordMoments } from '#server/media/analyse.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeMomentPictures } from '#server/media/moment-pictures.ts'
import { joinMomentVideo } from '#server/media/moment-video.ts'
import type { RenderPlaces } from '#server/media/render-plan.ts'
import { readStoredMoments, readStoredProbe } from '#server/media/stored-probe.ts'
import { learnSearch } from '#server/operations/processing/speeds/speeds.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { momentPicturesKeyOf, momentVideoKeyOf } from '#server/operations/media/storage/keys.ts'
import { readPaidWork } from '#server/operations/processing/slots/waiting.ts'
import {
  waitForProcessorTime,
  withProcessorTime,
} from '#server/operations/media/uploads/processor-time.ts'
import { queueAfterLease, takeLease } from '#server/operations/core/lease.ts'
import { queueSearch } from '#server/operations/media/uploads/queue-search.ts'

/** Nothing paid may wait for a search ahead of an edit, so it ends where one comes. */
class Yielded extends Error {}

/**
 * Searches a checked video for moments before an edit asks for them, once, while no paid edit waits
 * or is made. Where one comes, the search ends and begins again later; it goes on only for an edit
 * of this video that would search itself and waits for it now. Idempotent; does nothing for a video
 * that is deleted, held, or searched already. Throws when trying again later can help.
 */
export async function searchAhead(
  ctx: Ctx,
  {
    uploadRequestId,
    signal: stop,
  }: { readonly uploadRequestId: string; readonly signal: AbortSignal },
): Promise<void> {
  const upload = await readUnsearched(ctx, { uploadRequestId })
  const source = upload === null ? null : readStoredProbe(upload.probe)
  if (upload === null || source === null || ctx.ffmpeg === null) return
  // Of an account that has used up its time the first edit searches, which is paid.
  if ((await waitForProcessorTime(ctx, upload)) !== null) return
  if ((await readPaidWork(ctx, { uploadRequestId })) !== 'none' || !(await hasRoom(ctx)))
    return await tryLater(ctx, upload)
  // An edit holds it while it searches.
  const lease = await takeLease(ctx, { searchedId: uploadRequestId })
  if (lease === null) {
    const message = { uploadRequestId }
    return await queueAfterLease(ctx, { searchedId: uploadRequestId }, 'search-moments', message)
  }
  const ended = new AbortController()
  const signal = AbortSignal.any([stop, lease.lost, ended.signal])
  const watch = watchPaidWork(ctx, { uploadRequestId, ended, signal })
  try {
    const account = { userId: upload.userId, ffmpeg: ctx.ffmpeg }
    await withProcessorTime(
      ctx,
      account,
      async (ffmpeg) => await search(ctx, { upload, source, ffmpeg, signal }),
    )
  } catch (error) {
    if (!(ended.signal.reason instanceof Yielded)) throw error
    await tryLater(ctx, upload)
  } finally {
    ended.abort()
    await watch
    await lease.release()
  }
}

interface Search {
  readonly upload: UploadRow
  readonly source: SourceProbe
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

async function search(ctx: Ctx, { upload, source, ffmpeg, signal }: Search): Promise<void> {
  const folder = join(ctx.settings.scratchDir, `search-${upload.id}-${ctx.newId()}`)
  await mkdir(folder, { recursive: true })
  try {
    await ctx.copies.use(planOf(upload), signal, async (path) => {
      const places = { source: path, folder, assetPaths: new Map() }
      const work = { upload, source, ffmpeg, signal, places }
      const stored = readStoredMoments(upload.moments)
      const found =
        stored !== null && upload.momentVideo !== null
          ? await withPassages(source, stored)
          : await findAndRecord(ctx, work)
      if (stored === null || upload.momentPictures === null)
        await takePictures(ctx, { ...work, ...found })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface SearchInFolder extends Search {
  readonly places: RenderPlaces
}

/** The moments of a source, and what edits show of them by themselves. */
interface Found {
  readonly moments: readonly Moment[]
  readonly passages: readonly TimelinePassage[]
}

async function withPassages(source: SourceProbe, moments: readonly Moment[]): Promise<Found> {
  return { moments, passages: await usualPassages(source, moments, setImmediate) }
}

/**
 * Stores the moments as soon as they are found, so that a paid edit that comes then has them, and
 * then what shows them in motion. Where an edit has found them before, they stay.
 */
async function findAndRecord(ctx: Ctx, work: SearchInFolder): Promise<Found> {
  const { upload, source, ffmpeg, signal, places } = work
  const begunAt = ctx.clock().getTime()
  let found: Found = { moments: [], passages: [] }
  const pieces = await recordMoments(ffmpeg, source, places, signal, async (searched) => {
    await learnSearch(ctx, { source, begunAt })
    const stored = readStoredMoments(upload.moments)
    if (stored === null) await storeMoments(ctx, { upload, moments: searched })
    found = await withPassages(source, stored ?? searched)
    return found.passages
  })
  await storeVideo(ctx, work, pieces)
  return found
}

/**
 * Stores what a search found of a video that had no moments. The board of an earlier search, whose
 * moments were forgotten, goes with its files: they first, because its row is what names them.
 */
export async function storeMoments(
  ctx: Pick<Ctx, 'db' | 'store'>,
  {
    upload: { id },
    moments,
  }: { readonly upload: Pick<UploadRow, 'id'>; readonly moments: readonly Moment[] },
): Promise<void> {
  const [old] = await ctx.db
    .select({ pictures: uploadRequests.momentPictures, video: uploadRequests.momentVideo })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, id))
  if (old !== undefined && old.pictures !== null) await ctx.store.remove(momentPicturesKeyOf(id))
  if (old !== undefined && old.video !== null) await ctx.store.remove(momentVideoKeyOf(id))
  await ctx.db
    .update(uploadRequests)
    .set({
      moments: [...moments],
      momentPictures: null,
      momentVideo: null,
      momentVideoBytes: 0,
    })
    .where(isUnsearched(id))
}

/** Joins and stores what was seen in motion, where the video is still wanted. */
async function storeVideo(
  ctx: Ctx,
  { upload, ffmpeg, signal, places }: SearchInFolder,
  pieces: readonly MovingPiece[],
): Promise<void> {
  const made = await joinMomentVideo(ffmpeg, pieces, places, signal)
  const key = momentVideoKeyOf(upload.id)
  const file = made.path === null ? null : await ctx.store.putFile(key, made.path, 'video/mp4')
  const stored = await ctx.db
    .update(uploadRequests)
    .set({ momentVideo: made.video, momentVideoBytes: file?.sizeBytes ?? 0 })
    .where(isUnsearched(upload.id))
    .returning({ id: uploadRequests.id })
  // Deleted meanwhile: no row names it any more.
  if (stored.length === 0) await ctx.store.remove(key)
}

/** Takes and stores the pictures of the moment board, where the video is still wanted. */
async function takePictures(
  ctx: Ctx,
  { upload, source, ffmpeg, signal, moments, passages, places }: SearchInFolder & Found,
): Promise<void> {
  const placesMs = tilePlaces(source, moments, passages)
  const made = await makeMomentPictures(ffmpeg, { source, placesMs, places, signal })
  const key = momentPicturesKeyOf(upload.id)
  if (made.path !== null) await ctx.store.putFile(key, made.path, 'image/jpeg')
  const stored = await ctx.db
    .update(uploadRequests)
    .set({ momentPictures: made.pictures })
    .where(isUnsearched(upload.id))
    .returning({ id: uploadRequests.id })
  // Deleted meanwhile: no row names them any more.
  if (stored.length === 0) await ctx.store.remove(key)
}

/** Looks again and again whether the search may go on, until `signal` ends; ends it where not. */
async function watchPaidWork(
  ctx: Ctx,
  {
    uploadRequestId,
    ended,
    signal,
  }: {
    readonly uploadRequestId: string
    readonly ended: AbortController
    readonly signal: AbortSignal
  },
): Promise<void> {
  try {
    for (;;) {
      await setTimeout(SLOT_LOOK_MS, undefined, { signal })
      const isWanted = (await readUnsearched(ctx, { uploadRequestId })) !== null
      const paid = await readPaidWork(ctx, { uploadRequestId })
      if (!isWanted || paid === 'others') return ended.abort(new Yielded())
    }
  } catch (error) {
    if (!signal.aborted) ended.abort(error)
  }
}

/** Queues it again, unless it is no longer wanted or has been tried for long enough. */
async function tryLater(ctx: Ctx, { id, metadataProcessedAt }: UploadRow): Promise<void> {
  const sinceMs = ctx.clock().getTime() - (metadataProcessedAt?.getTime() ?? 0)
  if (
    sinceMs > KEEP_TRYING_AHEAD_MS ||
    (await readUnsearched(ctx, { uploadRequestId: id })) === null
  )
    return
  await inTransaction(
    ctx,
    async (ctx) => await queueSearch(ctx, { uploadRequestId: id }, SEARCH_AHEAD_REST_S),
  )
}

async function hasRoom({ store }: Pick<Ctx, 'store'>): Promise<boolean> {
  return ((await store.roomForEdits()) ?? Infinity) >= RENDER_ROOM_BYTES
}

/** The upload while it is worth a search, or null. */
async function readUnsearched(
  ctx: Pick<Ctx, 'db'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<UploadRow | null> {
  const [upload] = await ctx.db.select().from(uploadRequests).where(isUnsearched(uploadRequestId))
  return upload ?? null
}

const isUnsearched = (uploadRequestId: string) =>
  and(
    eq(uploadRequests.id, uploadRequestId),
    eq(uploadRequests.purpose, 'media-job'),
    eq(uploadRequests.state, 'validated'),
    or(
      isNull(uploadRequests.moments),
      isNull(uploadRequests.momentPictures),
      isNull(uploadRequests.momentVideo),
    ),
    isNull(uploadRequests.sourceRemovedAt),
    isNull(uploadRequests.heldAt),
  )
