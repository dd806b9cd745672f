import { editsStartMs, pictureStartMs } from '#recipes/first-picture.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { excerptHead, type LaidMedia, type LaidTrack } from './excerpt-head.ts'
import type { MovieIndex, MovieTrack } from './movie-index.ts'
import {
  at,
  chunkParts,
  countUpTo,
  decodedAt,
  keyBefore,
  PACKET,
  packetsAround,
  sampleBefore,
  shownAt,
  type ChunkPart,
  type SampleRange,
} from './sample-tables.ts'

/**
 * The file: `head` and behind it these ranges of the whole file, which are in order and do not
 * touch.
 */
export interface ExcerptFile {
  readonly head: Uint8Array
  readonly ranges: readonly ByteRange[]
  readonly sizeBytes: number
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The index says something that no excerpt can be made of, such as media behind the file's end. */
export interface NoExcerpt {
  readonly code: 'excerpt/unusual'
}

/**
 * What is kept before a stretch, at least: ffmpeg seeks to the key before its place, of some files
 * some pictures earlier.
 */
const BEFORE_S = 0.2
/** Edits read half a second more than they show, and decoders hold pictures back. */
const BEHIND_S = 0.7
/** Decoders of AAC need some packets of 21 to 85 ms before the first one that is heard. */
const SOUND_BEFORE_S = 0.3
/** From the beginning readers learn what the file is; ffmpeg reads sound from 1 s before it. */
const FIRST_S = 1

/** More is no excerpt: a quarter of an hour has some tens of thousands. */
const MOST_PARTS = 500_000
const MOST_RANGES = 20_000
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
 * - Bytes of tracks that are left out stay out: cameras put places and names into them.
 */
export function planExcerpt(
  index: MovieIndex,
  stretches: readonly Stretch[],
): Result<ExcerptFile, NoExcerpt> {
  const unusual = err<NoExcerpt>({ code: 'excerpt/unusual' })
  const kept = rangesOf(index.tracks, spansOf(index.tracks, stretches))
  const silence = silenceFor(kept)
  if (silence > MOST_SILENCE_BYTES) return unusual
  const laid: LaidTrack[] = []
  const needed: ByteRange[] = []
  for (const each of kept) {
    const parts: ChunkPart[] = []
    for (const part of partsOf(each, silence)) {
      const { place, bytes } = part
      if (place + bytes > index.sizeBytes || parts.length === MOST_PARTS) return unusual
      if (place !== SILENCE && bytes > 0) needed.push({ start: place, end: place + bytes })
      parts.push(part)
    }
    laid.push({ ...each, parts })
  }
  const ranges = joined(needed)
  if (ranges.length > MOST_RANGES) return unusual
  const media = placer(ranges, silence)
  const head = excerptHead(index, laid, { silence, ...media })
  return head === null ? unusual : ok({ head, ranges, sizeBytes: head.byteLength + media.bytes })
}

/** In seconds by the clock of the file, which its edit lists make. */
interface Span {
  readonly fromS: number
  readonly toS: number
}

function spansOf(tracks: readonly MovieTrack[], stretches: readonly Stretch[]): readonly Span[] {
  const startS = Math.min(...tracks.map(firstShownS))
  const lateMs = picturesOf(tracks).map((track) =>
    editsStartMs({ pictureStartMs: pictureStartMs(startS, firstShownS(track)) }),
  )
  const fromS = startS + Math.min(...lateMs) / 1000
  const toS = startS + Math.max(...lateMs) / 1000
  return [
    { fromS: startS, toS: toS + FIRST_S },
    ...stretches.map(({ startMs, endMs }) => ({
      fromS: fromS + startMs / 1000,
      toS: toS + endMs / 1000,
    })),
  ]
}

function picturesOf(tracks: readonly MovieTrack[]): readonly MovieTrack[] {
  return tracks.filter(({ kind }) => kind === 'picture')
}

/** The first of these is shown first, in whatever order they are stored. */
const FIRST_SAMPLES = 32

function firstShownS({ edit, tables, timeScale }: MovieTrack): number {
  if (edit !== null) return edit.waitS
  const samples = Array.from({ length: Math.min(tables.count, FIRST_SAMPLES) }, (_, each) => each)
  return Math.min(...samples.map((sample) => shownAt(tables, sample))) / timeScale
}

function toTicks({ edit, timeScale }: MovieTrack, seconds: number): number {
  return (seconds - (edit?.waitS ?? 0)) * timeScale + (edit?.mediaStart ?? 0)
}

function toSeconds({ edit, timeScale }: MovieTrack, ticks: number): number {
  return (ticks - (edit?.mediaStart ?? 0)) / timeScale + (edit?.waitS ?? 0)
}

/** Of one track, what an excerpt has. */
interface Kept {
  readonly track: MovieTrack
  readonly ranges: readonly SampleRange[]
}

function rangesOf(tracks: readonly MovieTrack[], spans: readonly Span[]): readonly Kept[] {
  const ranges = new Map<MovieTrack, SampleRange[]>(tracks.map((track) => [track, []]))
  const keep = (track: MovieTrack, range: SampleRange) => ranges.get(track)?.push(range)
  for (const [number, { fromS, toS }] of spans.entries()) {
    const endS = toS + BEHIND_S
    const pictures = picturesOf(tracks).map((track) => pictureRange(track, fromS, endS))
    const readS = Math.min(fromS, ...pictures.map(({ decodedS }) => decodedS))
    for (const { track, range } of pictures) {
      keep(track, range)
      // Any of several pictures may be the one that decides where the others are read from.
      if (pictures.length > 1) keep(track, pictureRange(track, readS, endS).range)
    }
    const soundS = readS - SOUND_BEFORE_S - (number === 0 ? FIRST_S : 0)
    for (const track of tracks)
      if (track.kind === 'sound') keep(track, soundRange(track, soundS, endS))
  }
  for (const track of tracks) {
    if (!track.isEven) keep(track, { start: 0, end: 1 })
    for (const range of tellingRanges(track)) keep(track, range)
  }
  return tracks.map((track) => ({ track, ranges: joined(ranges.get(track) ?? []) }))
}

function pictureRange(
  track: MovieTrack,
  fromS: number,
  endS: number,
): { readonly track: MovieTrack; readonly range: SampleRange; readonly decodedS: number } {
  const { tables } = track
  const spread = spreadOf(track)
  const first = sampleBefore(tables, toTicks(track, fromS - BEFORE_S) - spread)
  const start = keyBefore(tables, first)
  const end = 1 + sampleBefore(tables, toTicks(track, endS) - lowestOf(track))
  const range = { start, end: Math.max(end, start + 1) }
  return { track, range, decodedS: toSeconds(track, decodedAt(tables.clock, start) - spread) }
}

function soundRange(track: MovieTrack, fromS: number, endS: number): SampleRange {
  const { tables, isEven } = track
  const start = keyBefore(tables, sampleBefore(tables, toTicks(track, fromS)))
  const end = 1 + sampleBefore(tables, toTicks(track, endS))
  const range = { start, end: Math.max(end, start + 1) }
  return isEven ? packetsAround(tables.chunks, range) : range
}

/** By how much pictures are shown earlier than they are decoded, as some writers have it. */
function lowestOf({ tables: { offsets } }: MovieTrack): number {
  return Math.min(0, offsets?.lowest ?? 0)
}

/** How far decoding and showing are apart. */
function spreadOf(track: MovieTrack): number {
  return Math.max(0, track.tables.offsets?.highest ?? 0) - lowestOf(track)
}

/** Of how many pictures ffmpeg looks for the order. */
const ORDERED = 16

/**
 * The groups in which pictures are shown earliest after their decoding, and furthest out of order.
 */
function tellingRanges({ kind, tables }: MovieTrack): readonly SampleRange[] {
  const { offsets, clock, count } = tables
  if (kind !== 'picture' || offsets === null) return []
  const lowest = offsets.firsts[offsets.values.indexOf(offsets.lowest)] ?? 0
  const latest = new Float64Array(ORDERED).fill(-Infinity)
  let [deepest, depth] = [0, 0]
  let [ofClock, ofOffsets, decoded] = [0, 0, 0]
  for (let sample = 0; sample < count; sample += 1) {
    while (sample >= (clock.firsts[ofClock + 1] ?? count)) ofClock += 1
    while (sample >= (offsets.firsts[ofOffsets + 1] ?? count)) ofOffsets += 1
    const shown = decoded + (offsets.values[ofOffsets] ?? 0)
    decoded += clock.deltas[ofClock] ?? 0
    let place = ORDERED - 1
    while (place >= 0 && shown < (latest[place] ?? 0)) place -= 1
    if (ORDERED - 1 - place > depth) [deepest, depth] = [sample, ORDERED - 1 - place]
    if (place < 0) continue
    latest.copyWithin(0, 1, place + 1)
    latest[place] = shown
  }
  return [lowest, deepest].map((sample) => ({
    start: keyBefore(tables, sample),
    end: sample + 1,
  }))
}

/** Ranges in order; what overlaps or touches is one. */
function joined(ranges: readonly SampleRange[]): readonly SampleRange[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/** In place of a place in the file. */
const SILENCE = -1

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

function* partsOf({ track, ranges }: Kept, silence: number): Generator<ChunkPart> {
  const { tables, isEven } = track
  if (!isEven) return yield* chunkParts(tables, ranges)
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
