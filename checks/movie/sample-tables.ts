import { viewOf } from '#checks/bytes.ts'

/**
 * The tables that say of each sample of a track when it is decoded and shown, how large it is and
 * where it lies (ISO/IEC 14496-12 §8.6 and §8.7). They stay as they are stored: runs are looked up
 * by bisection and sizes are read in place, so that two hours of pictures and sound take some
 * megabytes, and a run that claims four thousand million samples takes nothing. Times are in ticks
 * of the track; samples and chunks are counted from 0.
 */
export interface SampleTables {
  readonly count: number
  readonly clock: SampleClock
  /** How much later than it is decoded each sample is shown; null = not later. */
  readonly offsets: Offsets | null
  /** Samples at which decoding can begin, in order; null = at each. */
  readonly keys: Uint32Array | null
  readonly sizes: Sizes
  readonly chunks: Chunks
  /** Which keys have pictures before them that need the group before, as `sbgp` says it. */
  readonly openKeys: KeyGroups | null
}

/** Runs of samples: run `r` begins with sample `firsts[r]`, and one more entry is their number. */
export interface Runs {
  readonly firsts: Float64Array
}

/** When samples are decoded. */
export interface SampleClock extends Runs {
  /** When each run begins, and one more entry: when the last sample ends. */
  readonly times: Float64Array
  readonly deltas: Uint32Array
}

export interface Offsets extends Runs {
  readonly values: Int32Array
  readonly lowest: number
  readonly highest: number
}

export interface Sizes {
  /** Of each sample, where all have the same; else null. */
  readonly even: number | null
  of(sample: number): number
}

export interface Chunks extends Runs {
  /** The first chunk of each run; runs are of chunks with equally many samples. */
  readonly firstChunks: Float64Array
  readonly perChunk: Uint32Array
  /** Where a chunk begins in the file. */
  placeOf(chunk: number): number
}

export interface KeyGroups extends Runs {
  /** The box `sgpd`, whole. */
  readonly described: Uint8Array
  /** What `sbgp` has before its count. */
  readonly kind: Uint8Array
  /** By run; 0 = in none. */
  readonly groups: Uint32Array
}

/** The body of a table. */
export type Body = Uint8Array

/** The samples of the tables may together be so many: a day of 60 pictures a second with sound. */
export const MOST_SAMPLES = 10_000_000

/** `stts`; null where it contradicts itself or goes back in time. */
export function clockIn(body: Body): SampleClock | null {
  const entries = entriesIn(body, 4, 8)
  if (entries === null) return null
  const { view, count } = entries
  const firsts = new Float64Array(count + 1)
  const times = new Float64Array(count + 1)
  const deltas = new Uint32Array(count)
  for (let run = 0; run < count; run += 1) {
    const samples = view.getUint32(8 * run)
    const delta = view.getUint32(8 * run + 4)
    if (delta >= 2 ** 31) return null
    firsts[run + 1] = at(firsts, run) + samples
    times[run + 1] = at(times, run) + samples * delta
    deltas[run] = delta
  }
  return { firsts, times, deltas }
}

/** `ctts`; version 0 is read as signed too, as many writers mean it. */
export function offsetsIn(body: Body): Offsets | null {
  const entries = entriesIn(body, 4, 8)
  if (entries === null) return null
  const { view, count } = entries
  const firsts = new Float64Array(count + 1)
  const values = new Int32Array(count)
  let [lowest, highest] = [Infinity, -Infinity]
  for (let run = 0; run < count; run += 1) {
    const value = view.getInt32(8 * run + 4)
    firsts[run + 1] = at(firsts, run) + view.getUint32(8 * run)
    values[run] = value
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  return count === 0 ? null : { firsts, values, lowest, highest }
}

/** `stsz`, or `stz2` with sizes of 4, 8 or 16 bits. */
export function sizesIn(body: Body, isCompact: boolean): { sizes: Sizes; count: number } | null {
  if (body.byteLength < 12) return null
  const view = viewOf(body)
  const count = view.getUint32(8)
  if (isCompact) {
    const bits = view.getUint8(7)
    if (![4, 8, 16].includes(bits) || Math.ceil((count * bits) / 8) > body.byteLength - 12)
      return null
    return { count, sizes: { even: null, of: (sample) => compactSize(view, bits, sample) } }
  }
  const even = view.getUint32(4)
  if (even > 0) return { count, sizes: { even, of: () => even } }
  if (count * 4 > body.byteLength - 12) return null
  return { count, sizes: { even: null, of: (sample) => view.getUint32(12 + 4 * sample) } }
}

function compactSize(view: DataView, bits: number, sample: number): number {
  if (bits === 16) return view.getUint16(12 + 2 * sample)
  if (bits === 8) return view.getUint8(12 + sample)
  const pair = view.getUint8(12 + (sample >> 1))
  return sample % 2 === 0 ? pair >> 4 : pair & 15
}

/**
 * `stsc` with `stco`, or `co64`; null where a run is of another sample description than the first,
 * or they do not make up the samples.
 */
export function chunksIn(
  ofSamples: Body,
  places: Body,
  isLong: boolean,
  samples: number,
): Chunks | null {
  const entries = entriesIn(ofSamples, 4, 12)
  const width = isLong ? 8 : 4
  const listed = entriesIn(places, 4, width)
  if (entries === null || listed === null) return null
  const { view, count } = entries
  const firsts = new Float64Array(count + 1)
  const firstChunks = new Float64Array(count + 1)
  const perChunk = new Uint32Array(count)
  firstChunks[count] = listed.count
  for (let run = 0; run < count; run += 1) {
    const first = view.getUint32(12 * run) - 1
    const isInOrder = run === 0 ? first === 0 : first > at(firstChunks, run - 1)
    if (!isInOrder || first >= listed.count || view.getUint32(12 * run + 8) !== 1) return null
    firstChunks[run] = first
    perChunk[run] = view.getUint32(12 * run + 4)
    if (perChunk[run] === 0) return null
  }
  for (let run = 0; run < count; run += 1)
    firsts[run + 1] =
      at(firsts, run) + (at(firstChunks, run + 1) - at(firstChunks, run)) * at(perChunk, run)
  if (firsts[count] !== samples) return null
  const placeOf = (chunk: number): number =>
    isLong ? Number(listed.view.getBigUint64(8 * chunk)) : listed.view.getUint32(4 * chunk)
  return { firsts, firstChunks, perChunk, placeOf }
}

/** The samples that `stss` or `stps` numbers. */
export function keysIn(body: Body): Uint32Array | null {
  const entries = entriesIn(body, 4, 4)
  if (entries === null) return null
  const { view, count } = entries
  const keys = new Uint32Array(count)
  for (let entry = 0; entry < count; entry += 1) {
    const key = view.getUint32(4 * entry)
    // Some writers count from 0; what they mean then is a guess.
    if (key === 0) return null
    keys[entry] = key - 1
  }
  return keys
}

/** `sbgp`: runs of samples by the group that they are in, 0 = in none. */
export function groupsIn(
  body: Body,
): { readonly firsts: Float64Array; readonly groups: Uint32Array; countAt: number } | null {
  const countAt = body[0] === 1 ? 12 : 8
  const entries = entriesIn(body, countAt, 8)
  if (entries === null) return null
  const { view, count } = entries
  const firsts = new Float64Array(count + 1)
  const groups = new Uint32Array(count)
  for (let run = 0; run < count; run += 1) {
    firsts[run + 1] = at(firsts, run) + view.getUint32(8 * run)
    groups[run] = view.getUint32(8 * run + 4)
  }
  return { firsts, groups, countAt }
}

/** The entries of a table behind their number; null where its box has no room for so many. */
export function entriesIn(
  body: Body,
  countAt: number,
  entryBytes: number,
): { readonly view: DataView; readonly count: number } | null {
  if (body.byteLength < countAt + 4) return null
  const view = viewOf(body)
  const count = view.getUint32(countAt)
  if (count * entryBytes > body.byteLength - countAt - 4) return null
  return { count, view: viewOf(body.subarray(countAt + 4)) }
}

type Numbers = Float64Array | Uint32Array | Int32Array

/** An entry that is there. */
export function at(numbers: Numbers, index: number): number {
  return numbers[index] ?? 0
}

/** How many of the ascending numbers are at most `value`. */
export function countUpTo(numbers: Numbers, value: number): number {
  return countWhile(numbers.length, (index) => at(numbers, index) <= value)
}

/** Of so many places, how many something holds for, which holds for none behind one without it. */
export function countWhile(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The run that a sample lies in; runs without samples are stepped over. */
function runOf({ firsts }: Runs, sample: number): number {
  return countUpTo(firsts, sample) - 1
}

export function decodedAt(clock: SampleClock, sample: number): number {
  const run = runOf(clock, sample)
  return at(clock.times, run) + (sample - at(clock.firsts, run)) * at(clock.deltas, run)
}

/** How long a sample is, by the clock of decoding. */
export function lastsAt(clock: SampleClock, sample: number): number {
  return at(clock.deltas, runOf(clock, sample))
}

/** When the last sample ends. */
export function endOf({ times }: SampleClock): number {
  return times.at(-1) ?? 0
}

export function shownAt({ clock, offsets }: SampleTables, sample: number): number {
  const decoded = decodedAt(clock, sample)
  return offsets === null ? decoded : decoded + at(offsets.values, runOf(offsets, sample))
}

/** The last sample that is decoded at this time or before; the first one before the beginning. */
export function sampleBefore({ clock, count }: SampleTables, time: number): number {
  const run = countUpTo(clock.times.subarray(0, clock.deltas.length), time) - 1
  if (run < 0) return 0
  const delta = at(clock.deltas, run)
  const steps = delta === 0 ? Infinity : Math.floor((time - at(clock.times, run)) / delta)
  const last = Math.max(at(clock.firsts, run + 1) - 1, 0)
  return Math.min(at(clock.firsts, run) + steps, last, count - 1)
}

/** The last key at a sample or before; the first sample where there is none. */
export function keyBefore({ keys }: SampleTables, sample: number): number {
  if (keys === null) return sample
  const count = countUpTo(keys, sample)
  return count === 0 ? 0 : at(keys, count - 1)
}

/** A row of samples; `end` is behind the last one. */
export interface SampleRange {
  readonly start: number
  readonly end: number
}

/** The runs of a range: which run, and how many samples of it. */
export function* runsWithin(
  runs: Runs,
  { start, end }: SampleRange,
): Generator<{ readonly run: number; readonly samples: number }> {
  for (let sample = start, run = runOf(runs, start); sample < end; run += 1) {
    const until = Math.min(end, run + 1 < runs.firsts.length ? at(runs.firsts, run + 1) : end)
    if (until > sample) yield { run, samples: until - sample }
    sample = Math.max(sample, until)
  }
}

/** Samples of a range that lie in one chunk, side by side. */
export interface ChunkPart {
  readonly place: number
  readonly bytes: number
  readonly samples: number
}

/**
 * The chunks of ranges that are in order. A chunk is read through once at the most, because some
 * files have only one.
 */
export function* chunkParts(
  { chunks, sizes }: Pick<SampleTables, 'chunks' | 'sizes'>,
  ranges: readonly SampleRange[],
): Generator<ChunkPart> {
  let reached = { chunk: -1, sample: 0, place: 0 }
  for (const { start, end } of ranges)
    for (let sample = start; sample < end;) {
      const [first, behind, chunk] = chunkOf(chunks, sample)
      if (reached.chunk !== chunk) reached = { chunk, sample: first, place: chunks.placeOf(chunk) }
      const place = reached.place + bytesOf(sizes, reached.sample, sample)
      const until = Math.min(end, behind)
      const bytes = bytesOf(sizes, sample, until)
      yield { place, bytes, samples: until - sample }
      reached = { chunk, sample: until, place: place + bytes }
      sample = until
    }
}

function bytesOf({ even, of }: Sizes, start: number, end: number): number {
  if (even !== null) return even * (end - start)
  let sum = 0
  for (let sample = start; sample < end; sample += 1) sum += of(sample)
  return sum
}

/** So many samples of PCM are a packet for ffmpeg, counted from the beginning of each chunk. */
export const PACKET = 1024

/** The range of whole packets that has these samples of PCM. */
export function packetsAround(chunks: Chunks, { start, end }: SampleRange): SampleRange {
  const [first] = chunkOf(chunks, start)
  const [last, behind] = chunkOf(chunks, end - 1)
  return {
    start: first + Math.floor((start - first) / PACKET) * PACKET,
    end: Math.min(behind, last + Math.ceil((end - last) / PACKET) * PACKET),
  }
}

/** The first sample of the chunk that a sample lies in, the sample behind it, and the chunk. */
function chunkOf(chunks: Chunks, sample: number): readonly [number, number, number] {
  const run = runOf(chunks, sample)
  const per = at(chunks.perChunk, run)
  const inRun = Math.floor((sample - at(chunks.firsts, run)) / per)
  const first = at(chunks.firsts, run) + inRun * per
  return [first, first + per, at(chunks.firstChunks, run) + inRun]
}

/** Ranges in order; what overlaps or touches is one. */
export function joinedRanges(ranges: readonly SampleRange[]): readonly SampleRange[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
