import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { readVideoIndex } from '#checks/movie/video-index.ts'
import { err, ok } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import type { LentRanges } from '#server/object-store/copies.ts'
import { planOf } from './find.ts'

/** A video, what is read of it, and in which folder it is lent, until when. */
interface Wanted {
  readonly upload: UploadRow
  /** Null where all of the video may be read. */
  readonly stretches: readonly Stretch[] | null
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Where more than this share of a video would have to be fetched, all of it is: its next edit reads
 * the rest.
 */
const MOST_SHARE = 0.5

/**
 * Calls `work` with the path of a file that has these stretches of a video, with its clock, and
 * returns what it returns.
 *
 * [Note: passages of a video] A teaser shows seconds of a video that takes minutes to fetch. So a
 * machine without it fetches the parts that have its index and those passages, and makes an excerpt
 * of them, of which all pieces are those of the whole (`checks/movie/video-index.ts`). To lend the
 * copy itself, with holes, was rejected: whatever reads a hole finds zeros there, and no error. The
 * excerpt's index names nothing that it does not hold.
 */
export async function lendSource<T>(
  { copies }: Pick<Ctx, 'copies'>,
  { upload, stretches, folder, signal }: Wanted,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const stored = planOf(upload)
  const whole = async (): Promise<T> => await copies.use(stored, signal, work)
  if (copies.isHere || stretches === null) return await whole()
  const lent = await copies.useRanges(stored, signal, async (ranges) => {
    const excerpt = await excerptOf(ranges, stored.sizeBytes, stretches)
    // The copy stays in use, so that nothing of it is fetched again.
    if (excerpt === null) return { end: await whole() }
    const path = join(folder, 'passages')
    await writeComposed(ranges, excerpt, path)
    return { path }
  })
  return 'end' in lent ? lent.end : await work(lent.path)
}

/** Null where the whole is here, where it has to be fetched, and where it has no such index. */
async function excerptOf(
  ranges: LentRanges,
  sizeBytes: number,
  stretches: readonly Stretch[],
): Promise<ComposedFile | null> {
  if (ranges.missingBytes([{ start: 0, end: sizeBytes }]) === 0) return null
  const read = async (start: number, end: number) => {
    if (start < 0 || end > sizeBytes || start >= end) return err('beyond the file')
    return ok(new Uint8Array(await ranges.read({ start, end })).buffer)
  }
  const whole = { sizeBytes, read, isFar: true }
  const index = await readVideoIndex(whole, async () => await setImmediate())
  if (!index.ok || index.value.pictures > 1) return null
  const planned = await index.value.planExcerpt(stretches)
  if (!planned.ok) return null
  const isMost = ranges.missingBytes(planned.value.ranges) > MOST_SHARE * sizeBytes
  return isMost ? null : planned.value
}

/** What is in memory at a time. */
const PIECE_BYTES = 8 * 1024 * 1024

async function writeComposed(
  from: LentRanges,
  { head, ranges }: ComposedFile,
  path: string,
): Promise<void> {
  await using file = await open(path, 'wx')
  await file.write(head)
  for (const { start, end } of ranges)
    for (let at = start; at < end; at += PIECE_BYTES)
      await file.write(await from.read({ start: at, end: Math.min(end, at + PIECE_BYTES) }))
}
