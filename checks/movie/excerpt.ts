import type { Stretch } from '#recipes/stretch.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import { composedFile, SILENCE, type ComposedFile } from './composed-file.ts'
import { keptSamples, type Kept } from './excerpt-samples.ts'
import type { MovieIndex, MovieTrack } from './movie-index.ts'
import { chunkParts, PACKET, type ChunkPart, type SampleRange } from './sample-tables.ts'

/**
 * The index says something that no excerpt can be made of, such as media behind the file's end, or
 * what it leads to could not be read.
 */
export interface NoExcerpt {
  readonly code: 'excerpt/unusual' | 'excerpt/unreadable'
}

/** More is no excerpt: a quarter of an hour has some tens of thousands. */
const MOST_PARTS = 500_000
const MOST_SILENCE_BYTES = 4 * 1024 ** 2

/**
 * Plans an MP4 or MOV with the samples of some stretches only, which has the clock and the length
 * of the whole: ffmpeg seeks to the same packets in it and decodes the same pictures and sound, as
 * long as it reads nothing beside the stretches.
 *
 * [Note: excerpt] It is one thing: choosing samples, writing their tables and saying where their
 * bytes are must agree to the byte. What has to be so was found by comparing every picture and
 * sound of pieces with those of the whole (tests/integration/recipes/excerpts.test.ts):
 * - Times of plans are those of the presentation. An edit list moves them; where the whole begins
 *   late, or its picture does, they begin late too ([Note: first picture]).
 * - A range is whole in decoding order, from a key to the last sample that is decoded before its
 *   end. The first sample of each track stays, because only the length of a sample can say how long
 *   nothing comes: the last one of a range lasts until the next range, or until the end.
 * - The first second stays, and with it what ffmpeg reads sound from where edits begin inside the
 *   media: it learns the beginning of the clock and the format there.
 * - Where pictures are stored out of order, ffmpeg learns the largest delay and the earliest offset
 *   from the tables of the whole; groups that have them stay too.
 * - It looks for the sound where the key of the picture is decoded, which is before it is shown.
 * - PCM is taken in packets of 1024 samples only while its clock is one run. So no sample is left
 *   out of it: where its bytes are missing, chunks of silence stand, all at one place of the head.
 * - ffmpeg computes the rate of the pictures from how many the clock counts, so those that are left
 *   out are counted behind its end, where they take no time.
 * - Bytes of tracks that are left out stay out: cameras put places and names into them.
 */
export function planExcerpt(
  index: MovieIndex,
  stretches: readonly Stretch[],
): Result<ComposedFile, NoExcerpt> {
  const unusual = err<NoExcerpt>({ code: 'excerpt/unusual' })
  const kept = keptSamples(index.tracks, stretches)
  const silence = silenceFor(kept)
  if (silence > MOST_SILENCE_BYTES) return unusual
  const limits = { silence, mostParts: MOST_PARTS }
  const file = composedFile(index, kept, (each) => partsOf(each, silence), limits)
  return file === null ? unusual : ok(file)
}

/**
 * How much silence the head has, in bytes: with the chunks that name it, least where both take the
 * same. 0 = nothing is missing of PCM.
 */
function silenceFor(kept: readonly Kept[]): number {
  const even = kept.flatMap(({ track, ranges }) => {
    const size = track.tables.sizes.even
    return track.isEven && size !== null ? [{ size, missing: missingOf(track, ranges) }] : []
  })
  const missing = even.reduce((sum, each) => sum + each.size * each.missing, 0)
  if (missing === 0) return 0
  const packet = PACKET * Math.max(...even.map(({ size }) => size))
  return packet * Math.ceil(Math.sqrt(4 * missing) / packet)
}

function missingOf({ tables }: MovieTrack, ranges: readonly SampleRange[]): number {
  return ranges.reduce((left, { start, end }) => left - (end - start), tables.count)
}

function* partsOf({ track, ranges }: Kept, silence: number): Generator<ChunkPart, void> {
  const { tables, isEven } = track
  if (!isEven) {
    yield* chunkParts(tables, ranges)
    return
  }
  let reached = 0
  for (const range of [...ranges, { start: tables.count, end: tables.count }]) {
    yield* silentParts(range.start - reached, tables.sizes.even ?? 1, silence)
    yield* chunkParts(tables, [range])
    reached = range.end
  }
}

function* silentParts(missing: number, size: number, silence: number): Generator<ChunkPart> {
  const most = Math.floor(silence / size / PACKET) * PACKET
  for (let left = missing; left > 0; left -= most) {
    const samples = Math.min(left, most)
    yield { place: SILENCE, samples, bytes: samples * size }
  }
}
