/**
 * Writes the head of a file of parts of another one. It is one file because its tables count each
 * other: what one leaves out, all others must.
 */
import { box, boxesIn, type Box } from '#checks/boxes.ts'
import { joinedBytes, numbers, viewOf } from '#checks/bytes.ts'
import { isSphericalNote } from '#checks/movie-tracks.ts'
import type { MovieIndex, MovieTrack } from './movie-index.ts'
import {
  at,
  countUpTo,
  decodedAt,
  endOf,
  lastsAt,
  runsWithin,
  type ChunkPart,
  type SampleClock,
  type Runs,
  type SampleRange,
  type Sizes,
} from './sample-tables.ts'
import { insideOf } from './track-boxes.ts'
import { editBox, lasting, LONG, NOTHING, VERSION_1, type WrittenEdit } from './written-boxes.ts'

/** Of one track: the samples that the file keeps, and by which clock. */
export interface PlacedTrack {
  readonly track: MovieTrack
  readonly ranges: readonly SampleRange[]
  /** Absent = that of the whole. */
  readonly clock?: OwnClock
}

/** The same with the chunks that they lie in. */
export interface LaidTrack extends PlacedTrack {
  readonly parts: readonly ChunkPart[]
}

/** A clock that begins with the first sample that is kept. */
export interface OwnClock {
  /** What the first sample has in place of what it has in the whole; null = the same. */
  readonly first: { readonly lasts: number; readonly later: number } | null
  readonly edit: WrittenEdit
  /** Ticks of the file a second. */
  readonly movieScale: number
}

/** The bytes behind the head. */
export interface LaidMedia {
  /** How many zeros the head ends with. */
  readonly silence: number
  readonly bytes: number
  /** Where a byte of the whole is, counted from behind the head. */
  placeOf(place: number): number
}

/** What of the whole is said again; all else names cameras, programs, people and places. */
const KEPT: Readonly<Record<string, ReadonlySet<string>>> = {
  trak: new Set(['tkhd', 'tapt', 'edts', 'tref', 'mdia', 'uuid']),
  mdia: new Set(['mdhd', 'hdlr', 'elng', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'gmhd', 'nmhd', 'hdlr', 'dinf', 'stbl']),
  stbl: new Set(['stsd', 'cslg']),
}

/** ffmpeg takes longer ones for steps back. */
const LONGEST_SAMPLE = 2 ** 32 - 1 - 480_000

/**
 * `ftyp`, `moov`, and the header of `mdat` with the silence that it begins with. Null where nothing
 * comes for longer than a table can say.
 */
export function composedHead(
  { brand, header }: MovieIndex,
  laid: readonly LaidTrack[],
  media: LaidMedia,
): Uint8Array | null {
  const ids = new Set(laid.map(({ track: { id } }) => id))
  const tables: (readonly Uint8Array[])[] = []
  for (const each of laid) {
    const boxes = sampleBoxes(each)
    if (boxes === null) return null
    tables.push(boxes)
  }
  const said = headerOf(header, laid)
  /** @param mediaAt where the head ends */
  const indexFor = (mediaAt: number, isLong: boolean): Uint8Array =>
    box(
      'moov',
      said,
      ...laid.map((each, number) => {
        const places = placesBox(each.parts, (place) => mediaAt + media.placeOf(place), isLong)
        return rewritten(each, each.track.box, ids, [...(tables[number] ?? []), places])
      }),
    )
  // Where there is silence, places begin before the end of the head: here one that is far enough.
  const short = brand.byteLength + indexFor(media.silence, false).byteLength + 8 + media.silence
  // By how much long places and a long header are larger; the tables of hours are built twice only.
  const long = short + 4 * laid.reduce((sum, { parts }) => sum + parts.length, 0) + 8
  const isLong = long + media.bytes >= LONG
  const head = new Uint8Array(isLong ? long : short)
  const index = indexFor(head.byteLength, isLong)
  head.set(brand)
  head.set(index, brand.byteLength)
  writeMediaHeader(head, brand.byteLength + index.byteLength, media.bytes, isLong)
  return head
}

/** The header of `mdat`, which has the rest of the head and the bytes behind it. */
function writeMediaHeader(head: Uint8Array, from: number, behind: number, isLong: boolean): void {
  const size = head.byteLength - from + behind
  const view = viewOf(head)
  view.setUint32(from, isLong ? 1 : size)
  head.set(
    Array.from('mdat', (letter) => letter.charCodeAt(0)),
    from + 4,
  )
  if (isLong) view.setBigUint64(from + 8, BigInt(size))
}

/** A box of a track with other tables of samples, and another clock where it has its own. */
function rewritten(
  laid: LaidTrack,
  part: Box,
  ids: ReadonlySet<number>,
  tables: readonly Uint8Array[],
): Uint8Array {
  const { track, clock } = laid
  const body = track.bytes.subarray(part.bodyStart, part.end)
  if (part.type === 'tref') return references(body, ids)
  if (part.type === 'uuid') return isSphericalNote(body) ? box('uuid', body) : NOTHING
  if (clock !== undefined) {
    const shown = clock.edit.waits + clock.edit.lasts
    if (part.type === 'tkhd')
      return joinedBytes([lasting('tkhd', body, shown), editBox(clock.edit)])
    if (part.type === 'mdhd') return lasting('mdhd', body, mediaTicks(laid, clock))
    // Both say it of the whole.
    if (part.type === 'edts' || part.type === 'cslg') return NOTHING
  }
  const kept = KEPT[part.type]
  if (kept === undefined) return track.bytes.subarray(part.start, part.end)
  const inside = (insideOf(track.bytes, part) ?? []).filter(({ type }) => kept.has(type))
  return box(
    part.type,
    ...inside.map((each) => rewritten(laid, each, ids, tables)),
    ...(part.type === 'stbl' ? tables : []),
  )
}

/** That of the whole, or one as long as the longest track. */
function headerOf(header: Uint8Array, laid: readonly LaidTrack[]): Uint8Array {
  const clocks = laid.flatMap(({ clock }) => clock ?? [])
  const [first] = clocks
  if (first === undefined) return header
  const longest = Math.max(...clocks.map(({ edit }) => edit.waits + edit.lasts))
  const [{ bodyStart } = { bodyStart: 8 }] = boxesIn(header, 0, header.byteLength)
  return lasting('mvhd', header.subarray(bodyStart), longest, first.movieScale)
}

/** How long the kept samples of a track last together. */
function mediaTicks({ track, ranges }: LaidTrack, { first }: OwnClock): number {
  const { clock } = track.tables
  const all = ranges.reduce(
    (sum, { start, end }) =>
      sum + decodedAt(clock, end - 1) - decodedAt(clock, start) + lastsAt(clock, end - 1),
    0,
  )
  const [{ start } = { start: 0 }] = ranges
  return first === null ? all : all - lastsAt(clock, start) + first.lasts
}

/** `tref` without tracks that are left out. */
function references(body: Uint8Array, ids: ReadonlySet<number>): Uint8Array {
  const boxes = Array.from(boxesIn(body, 0, body.byteLength)).map(({ type, bodyStart, end }) => {
    const view = viewOf(body.subarray(bodyStart, end))
    const named = Array.from({ length: view.byteLength >> 2 }, (_, each) =>
      view.getUint32(4 * each),
    )
    const kept = named.filter((id) => ids.has(id))
    return kept.length === 0 ? new Uint8Array() : box(type, numbers(kept))
  })
  return box('tref', ...boxes)
}

/** All tables but the places of the chunks. */
function sampleBoxes({
  track,
  ranges,
  parts,
  clock: own,
}: LaidTrack): readonly Uint8Array[] | null {
  const { kind, isEven } = track
  const { clock, offsets, keys, openKeys, sizes, count } = track.tables
  const said = isEven && own === undefined ? [{ start: 0, end: count }] : ranges
  const leftOut = kind === 'picture' ? count - sizeOf(said) : 0
  const times = own === undefined ? clockBox(clock, said, leftOut) : ownClockBox(clock, said, own)
  if (times === null) return null
  const boxes = [times, perChunkBox(parts), sizesBox(sizes, said)]
  if (offsets !== null) {
    const later = (run: number): number => at(offsets.values, run)
    const runs = runsOf(offsets, said, later, own?.first?.later)
    const version = offsets.lowest < 0 ? VERSION_1 : 0
    boxes.push(box('ctts', numbers([version, runs.length / 2, ...runs])))
  }
  if (keys !== null) {
    const kept = keysOf(keys, said)
    boxes.push(box('stss', numbers([0, kept.length, ...kept])))
  }
  if (openKeys !== null) {
    const runs = runsOf(openKeys, said, (run) => at(openKeys.groups, run))
    boxes.push(openKeys.described, box('sbgp', openKeys.kind, numbers([runs.length / 2, ...runs])))
  }
  return boxes
}

/**
 * The last sample of a range lasts until the next range, or until the end of the whole. Samples
 * that are left out are counted at the end and take no time: from their number readers compute the
 * rate, and plans follow it.
 */
function clockBox(
  clock: SampleClock,
  ranges: readonly SampleRange[],
  leftOut: number,
): Uint8Array | null {
  const runs: number[] = []
  for (const [number, { start, end }] of ranges.entries()) {
    for (const { run, samples } of runsWithin(clock, { start, end: end - 1 }))
      addRun(runs, samples, at(clock.deltas, run))
    const next = ranges[number + 1]
    const until = next === undefined ? endOf(clock) : decodedAt(clock, next.start)
    const lasts = until - decodedAt(clock, end - 1)
    if (lasts > LONGEST_SAMPLE) return null
    addRun(runs, 1, lasts)
  }
  if (leftOut > 0) addRun(runs, leftOut, 0)
  return box('stts', numbers([0, runs.length / 2, ...runs]))
}

/** Each sample lasts as long as in the whole, but for the first one. */
function ownClockBox(clock: SampleClock, ranges: readonly SampleRange[], { first }: OwnClock) {
  const runs = runsOf(clock, ranges, (run) => at(clock.deltas, run), first?.lasts)
  return box('stts', numbers([0, runs.length / 2, ...runs]))
}

/** @param first of the first sample, in place of its own */
function runsOf(
  runs: Runs,
  ranges: readonly SampleRange[],
  valueOf: (run: number) => number,
  first?: number,
): readonly number[] {
  const found: number[] = first === undefined ? [] : [1, first]
  for (const [number, { start, end }] of ranges.entries()) {
    const from = number === 0 && first !== undefined ? start + 1 : start
    for (const { run, samples } of runsWithin(runs, { start: from, end }))
      addRun(found, samples, valueOf(run))
  }
  return found
}

/** Pairs of a number of samples and what they have. */
function addRun(runs: number[], samples: number, value: number): void {
  const last = runs.length - 2
  if (last >= 0 && runs[last + 1] === value) runs[last] = (runs[last] ?? 0) + samples
  else runs.push(samples, value)
}

/** The keys of ranges as they are numbered among the samples of these, from 1 on. */
function keysOf(keys: Uint32Array, ranges: readonly SampleRange[]): readonly number[] {
  const kept: number[] = []
  let before = 0
  for (const { start, end } of ranges) {
    for (let each = countUpTo(keys, start - 1); each < countUpTo(keys, end - 1); each += 1)
      kept.push(at(keys, each) - start + before + 1)
    before += end - start
  }
  return kept
}

function sizesBox({ even, of }: Sizes, ranges: readonly SampleRange[]): Uint8Array {
  const count = sizeOf(ranges)
  if (even !== null) return box('stsz', numbers([0, even, count]))
  const body = new Uint8Array(12 + 4 * count)
  const view = viewOf(body)
  view.setUint32(8, count)
  let reached = 12
  for (const { start, end } of ranges)
    for (let sample = start; sample < end; sample += 1) {
      view.setUint32(reached, of(sample))
      reached += 4
    }
  return box('stsz', body)
}

function sizeOf(ranges: readonly SampleRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}

function perChunkBox(parts: readonly ChunkPart[]): Uint8Array {
  const runs: number[] = []
  for (const [chunk, { samples }] of parts.entries())
    if (samples !== runs.at(-2)) runs.push(chunk + 1, samples, 1)
  return box('stsc', numbers([0, runs.length / 3, ...runs]))
}

function placesBox(
  parts: readonly ChunkPart[],
  placeOf: (place: number) => number,
  isLong: boolean,
): Uint8Array {
  const width = isLong ? 8 : 4
  const body = new Uint8Array(8 + width * parts.length)
  const view = viewOf(body)
  view.setUint32(4, parts.length)
  for (const [chunk, { place }] of parts.entries())
    if (isLong) view.setBigUint64(8 + 8 * chunk, BigInt(placeOf(place)))
    else view.setUint32(8 + 4 * chunk, placeOf(place))
  return box(isLong ? 'co64' : 'stco', body)
}
