import { boxesIn, type Box } from '#checks/boxes.ts'
import { box } from '#checks/immersive.ts'
import { insideOf, type MovieIndex, type MovieTrack } from './movie-index.ts'
import {
  at,
  countUpTo,
  decodedAt,
  endOf,
  runsWithin,
  viewOf,
  type ChunkPart,
  type Clock,
  type Runs,
  type SampleRange,
  type Sizes,
} from './sample-tables.ts'

/** One track of an excerpt: the samples that it keeps, and the chunks that they lie in. */
export interface LaidTrack {
  readonly track: MovieTrack
  readonly ranges: readonly SampleRange[]
  readonly parts: readonly ChunkPart[]
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
  trak: new Set(['tkhd', 'tapt', 'edts', 'tref', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'elng', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'gmhd', 'nmhd', 'hdlr', 'dinf', 'stbl']),
  stbl: new Set(['stsd', 'cslg']),
}

/** ffmpeg takes longer ones for steps back. */
const LONGEST_SAMPLE = 2 ** 32 - 1 - 480_000
const LONG = 2 ** 32

/**
 * `ftyp`, `moov`, and the header of `mdat` with the silence that it begins with. Null where nothing
 * comes for longer than a table can say.
 */
export function excerptHead(
  { brand, header, tracks }: MovieIndex,
  laid: readonly LaidTrack[],
  media: LaidMedia,
): Uint8Array | null {
  const ids = new Set(tracks.map(({ id }) => id))
  const tables: (readonly Uint8Array[])[] = []
  for (const each of laid) {
    const boxes = sampleBoxes(each)
    if (boxes === null) return null
    tables.push(boxes)
  }
  /** @param mediaAt where the head ends */
  const indexFor = (mediaAt: number, isLong: boolean): Uint8Array =>
    box(
      'moov',
      header,
      ...laid.map(({ track, parts }, number) => {
        const places = placesBox(parts, (place) => mediaAt + media.placeOf(place), isLong)
        return rewritten(track, track.box, ids, [...(tables[number] ?? []), places])
      }),
    )
  // Where there is silence, places begin before the end of the head: here one that is far enough.
  const sizeFor = (isLong: boolean): number =>
    brand.byteLength +
    indexFor(media.silence, isLong).byteLength +
    (isLong ? 16 : 8) +
    media.silence
  const isLong = sizeFor(true) + media.bytes >= LONG
  const head = new Uint8Array(sizeFor(isLong))
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

/** A box of a track with other tables of samples. */
function rewritten(
  track: MovieTrack,
  part: Box,
  ids: ReadonlySet<number>,
  tables: readonly Uint8Array[],
): Uint8Array {
  const { bytes } = track
  if (part.type === 'tref') return references(bytes.subarray(part.bodyStart, part.end), ids)
  const kept = KEPT[part.type]
  if (kept === undefined) return bytes.subarray(part.start, part.end)
  const inside = (insideOf(bytes, part) ?? []).filter(({ type }) => kept.has(type))
  return box(
    part.type,
    ...inside.map((each) => rewritten(track, each, ids, tables)),
    ...(part.type === 'stbl' ? tables : []),
  )
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
function sampleBoxes({ track, ranges, parts }: LaidTrack): readonly Uint8Array[] | null {
  const { kind, isEven } = track
  const { clock, offsets, keys, openKeys, sizes, count } = track.tables
  const said = isEven ? [{ start: 0, end: count }] : ranges
  const leftOut = kind === 'picture' ? count - sizeOf(said) : 0
  const times = clockBox(clock, said, leftOut)
  if (times === null) return null
  const boxes = [times, perChunkBox(parts), sizesBox(sizes, said)]
  if (offsets !== null) {
    const runs = runsOf(offsets, said, (run) => at(offsets.values, run))
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

const VERSION_1 = 0x01000000

/**
 * The last sample of a range lasts until the next range, or until the end of the whole. Samples
 * that are left out are counted at the end and take no time: from their number readers compute the
 * rate, and plans follow it.
 */
function clockBox(
  clock: Clock,
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

function runsOf(
  runs: Runs,
  ranges: readonly SampleRange[],
  valueOf: (run: number) => number,
): readonly number[] {
  const found: number[] = []
  for (const range of ranges)
    for (const { run, samples } of runsWithin(runs, range)) addRun(found, samples, valueOf(run))
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

/** Of 32 bits each, negative ones as their two's complement. */
function numbers(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length)
  const view = viewOf(bytes)
  for (const [place, value] of values.entries()) view.setUint32(4 * place, value)
  return bytes
}
