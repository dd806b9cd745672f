import { composedHead, type LaidMedia, type LaidTrack, type PlacedTrack } from './composed-head.ts'
import type { MovieIndex } from './movie-index.ts'
import { at, countUpTo, joinedRanges, type ChunkPart } from './sample-tables.ts'

/**
 * A file of parts of another one: `head` and behind it these ranges of the whole file, which are in
 * order and do not touch.
 */
export interface ComposedFile {
  readonly head: Uint8Array
  readonly ranges: readonly ByteRange[]
  readonly sizeBytes: number
}

interface ByteRange {
  readonly start: number
  readonly end: number
}

/** More ranges are no file that a device keeps in a row, and opens at once. */
const MOST_RANGES = 20_000

/**
 * Null where media lie behind the end of the file, or where it takes more parts than this.
 * @param partsOf the chunks of a track, in order
 */
export function composedFile<Track extends PlacedTrack>(
  index: MovieIndex,
  tracks: readonly Track[],
  partsOf: (track: Track) => Iterable<ChunkPart>,
  { mostParts, silence }: { readonly mostParts: number; readonly silence: number },
): ComposedFile | null {
  const laid: LaidTrack[] = []
  const needed: ByteRange[] = []
  let count = 0
  for (const each of tracks) {
    const parts: ChunkPart[] = []
    for (const part of partsOf(each)) {
      const { place, bytes } = part
      if (place + bytes > index.sizeBytes || count === mostParts) return null
      count += 1
      if (place !== SILENCE && bytes > 0) needed.push({ start: place, end: place + bytes })
      parts.push(part)
    }
    laid.push({ ...each, parts })
  }
  const ranges = joinedRanges(needed)
  if (ranges.length > MOST_RANGES) return null
  const media = placer(ranges, silence)
  const head = composedHead(index, laid, { silence, ...media })
  return head === null ? null : { head, ranges, sizeBytes: head.byteLength + media.bytes }
}

/** In place of a place in the file. */
export const SILENCE = -1

/** Where bytes of the whole are, counted from behind the head, and how many they are together. */
function placer(ranges: readonly ByteRange[], silence: number): Omit<LaidMedia, 'silence'> {
  const starts = Float64Array.from(ranges, ({ start }) => start)
  const offsets = new Float64Array(ranges.length)
  let bytes = 0
  for (const [number, { start, end }] of ranges.entries()) {
    offsets[number] = bytes
    bytes += end - start
  }
  const placeOf = (place: number): number => {
    if (place === SILENCE) return -silence
    const range = Math.max(0, countUpTo(starts, place) - 1)
    return at(offsets, range) + place - at(starts, range)
  }
  return { bytes, placeOf }
}
