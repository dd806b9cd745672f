import { eq } from 'drizzle-orm'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { FaceFinding } from '#recipes/face-cover/types.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { ReadCtx, Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { faceFindings } from '#server/db/schema.ts'
import type { KeptParts, SearchedVideo } from '#server/media/face-search.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeReviewCopy, makeStrip } from '#server/media/review-pictures.ts'
import type { FfmpegFailure } from '#server/media/run.ts'
import { readFinding } from '#server/media/stored-faces.ts'
import { learnFaces } from '#server/operations/processing/speeds/speeds.ts'
import {
  reviewCopyKeyOf,
  searchPartsOf,
  stripKeyOf,
} from '#server/operations/media/storage/keys.ts'

/** Shares of the search's progress: the search itself, then the copy; strips have the rest. */
const FOUND = 0.7
const COPIED = 0.85

/** What the search found in a video, or null before it has ended. */
export async function readStoredFinding(
  ctx: Pick<ReadCtx, 'db'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<FaceFinding | null> {
  const [row] = await ctx.db
    .select({ finding: faceFindings.finding })
    .from(faceFindings)
    .where(eq(faceFindings.uploadRequestId, uploadRequestId))
  return row === undefined ? null : readFinding(row.finding)
}

/**
 * Searches the faces of a video, once for all its edits, and stores what a person needs to review
 * them. The row comes last, so that what a crash leaves is made again under the same keys. Rejects
 * when aborted or when the machine fails.
 */
export async function searchFaces(
  ctx: Ctx,
  {
    upload,
    ffmpeg,
    video,
  }: { readonly upload: UploadRow; readonly ffmpeg: Ffmpeg; readonly video: SearchedVideo },
): Promise<Result<void, FfmpegFailure>> {
  if ((await readStoredFinding(ctx, { uploadRequestId: upload.id })) !== null) return ok(undefined)
  if (ctx.faces === null) throw new Error('This server has no search for faces')
  const during = (from: number, to: number): SearchedVideo => ({
    ...video,
    onProgress: (ratio) => video.onProgress(from + ratio * (to - from)),
  })
  const begunAt = ctx.clock().getTime()
  const kept = keptPartsOf(ctx, upload, video.folder)
  const found = await ctx.faces.find(during(0, FOUND), kept)
  if (!found.ok) return found
  const finding = readFinding(found.value)
  const copy = await makeReviewCopy(ffmpeg, during(FOUND, COPIED))
  if (!copy.ok) return err(copy.error)
  const { sizeBytes } = await ctx.store.putFile(reviewCopyKeyOf(upload.id), copy.value, 'video/mp4')
  const stripBytes = await storeStrips(ctx, { upload, ffmpeg, finding, video: during(COPIED, 1) })
  await ctx.db
    .insert(faceFindings)
    .values({
      uploadRequestId: upload.id,
      finding,
      sizeBytes: sizeBytes + stripBytes,
      foundAt: ctx.clock(),
    })
    .onConflictDoNothing()
  await ctx.store.removeAll(searchPartsOf(upload.id))
  // One that goes on where another one ended says nothing of a whole search.
  if (!kept.wasResumed()) await learnFaces(ctx, { source: video.source, begunAt })
  return ok(undefined)
}

/** Beside the other files of its faces: they go with the video, whatever becomes of the search. */
function keptPartsOf(
  { store }: Pick<Ctx, 'store'>,
  { id }: Pick<UploadRow, 'id'>,
  folder: string,
): KeptParts & { readonly wasResumed: () => boolean } {
  const keyOf = (name: string): string => `${searchPartsOf(id)}/${name}.json`
  let wasResumed = false
  return {
    wasResumed: () => wasResumed,
    read: async (name) => {
      if ((await store.head(keyOf(name))) === null) return null
      wasResumed = true
      return await json(await store.read(keyOf(name)))
    },
    keep: async (name, part) => {
      const path = join(folder, `${name}.json`)
      await writeFile(path, JSON.stringify(part))
      await store.putFile(keyOf(name), path, 'application/json')
    },
  }
}

/** Returns what the strips take. Rejects with the fault of the machine. */
async function storeStrips(
  ctx: Pick<Ctx, 'store' | 'log'>,
  work: {
    readonly upload: UploadRow
    readonly ffmpeg: Ffmpeg
    readonly finding: FaceFinding
    readonly video: SearchedVideo
  },
): Promise<number> {
  const { upload, ffmpeg, finding, video } = work
  let bytes = 0
  for (const [index, track] of finding.tracks.entries()) {
    const strip = await makeStrip(ffmpeg, video, track)
    if (strip.ok) {
      bytes += (await stat(strip.value)).size
      await ctx.store.putFile(stripKeyOf(upload.id, track.id), strip.value, 'image/jpeg')
    } else if (strip.error.fault !== null) throw strip.error.fault
    video.onProgress((index + 1) / finding.tracks.length)
  }
  return bytes
}
