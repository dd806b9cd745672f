import { editsStartMs, pictureStartMs } from '#recipes/first-picture.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { MovieTrack } from './movie-index.ts'
import {
  decodedAt,
  joinedRanges,
  keyBefore,
  packetsAround,
  sampleBefore,
  shownAt,
  type SampleRange,
} from './sample-tables.ts'
import { firstShownS, SOUND_BEFORE_S, toSeconds, toTicks } from './track-clock.ts'

/**
 * What is kept before a stretch, at least: ffmpeg seeks to the key before its place, of some files
 * some pictures earlier.
 */
export const BEFORE_S = 0.2
/**
 * Decoders hold some pictures back, and where the next range begins some mix them up. What edits
 * read ends half a second behind what they show, so that this concerns none that is seen.
 */
const BEHIND_S = 0.1
/** Of sound, which takes next to nothing. */
export const SOUND_BEHIND_S = 0.7
/** From the beginning readers learn what the file is; ffmpeg reads sound from 1 s before it. */
const FIRST_S = 1

/** In seconds by the clock of the file, which its edit lists make. */
interface Span {
  readonly fromS: number
  readonly toS: number
}

/** When a file begins, and when the times of edits do: at the earliest and at the latest. */
function beginningsOf(tracks: readonly MovieTrack[]) {
  const startS = Math.min(...tracks.map(firstShownS))
  const lateMs = picturesOf(tracks).map((track) =>
    editsStartMs({ pictureStartMs: pictureStartMs(startS, firstShownS(track)) }),
  )
  return {
    startS,
    fromS: startS + Math.min(...lateMs) / 1000,
    toS: startS + Math.max(...lateMs) / 1000,
  }
}

/**
 * When the keys of the pictures are shown, in order, in milliseconds as edits count them; none
 * where each picture is one.
 */
export function keyTimesMs(tracks: readonly MovieTrack[]): readonly number[] {
  const { fromS } = beginningsOf(tracks)
  return picturesOf(tracks)
    .flatMap((track) =>
      Array.from(track.tables.keys ?? [], (key) =>
        Math.round((toSeconds(track, shownAt(track.tables, key)) - fromS) * 1000),
      ),
    )
    .toSorted((a, b) => a - b)
}

function spansOf(tracks: readonly MovieTrack[], stretches: readonly Stretch[]): readonly Span[] {
  const { startS, fromS, toS } = beginningsOf(tracks)
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

/** Of one track, what an excerpt has. */
export interface Kept {
  readonly track: MovieTrack
  readonly ranges: readonly SampleRange[]
}

/** The samples that these stretches need, of all tracks. */
export function keptSamples(
  tracks: readonly MovieTrack[],
  stretches: readonly Stretch[],
): readonly Kept[] {
  const ranges = new Map<MovieTrack, SampleRange[]>(tracks.map((track) => [track, []]))
  const keep = (track: MovieTrack, range: SampleRange) => ranges.get(track)?.push(range)
  for (const [number, { fromS, toS }] of spansOf(tracks, stretches).entries()) {
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
      if (track.kind === 'sound') keep(track, soundRange(track, soundS, toS + SOUND_BEHIND_S))
  }
  for (const track of tracks) {
    if (!track.isEven) keep(track, { start: 0, end: 1 })
    for (const range of tellingRanges(track)) keep(track, range)
  }
  return tracks.map((track) => ({ track, ranges: joinedRanges(ranges.get(track) ?? []) }))
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
