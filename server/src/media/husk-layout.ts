import { boxesIn, type Box } from '#checks/boxes.ts'
import type { FileTrack } from '#checks/ffprobe-tracks.ts'

/**
 * Where the samples of a husk lie ([Note: husks] in movie-husk.ts): in the order in which they lie
 * in the file, because ffprobe reads several tracks in that order.
 */
export interface Layout {
  /** Of each track its chunks, counted from the first sample. */
  readonly places: readonly Float64Array[]
  readonly bytes: number
  /** What is copied: `place` is in the file, `at` as the places above. */
  readonly copied: readonly {
    readonly place: number
    readonly bytes: number
    readonly at: number
  }[]
  /** As the husk has it, counted from the first sample. */
  sizeAt(place: number, bytes: number): number | null
}

/** What the husk has of a track. */
export interface TrackPlan {
  /** Where its box begins. */
  readonly start: number
  readonly samples: number
  /** Bytes of a sample in the file. */
  readonly sizeOf: (sample: number) => number
  /** Whether samples keep their size. */
  readonly isKept: boolean
  /** So many first samples are there as they are. */
  readonly there: number
  /** Bytes of the husk before each of them, and before the one behind them. */
  readonly before: Float64Array
  /** The first sample of each chunk, and one more: how many samples there are. */
  readonly firsts: Float64Array
  /** Where a chunk lies in the file. */
  readonly placeOf: (chunk: number) => number
}

const MAX_BOXES = 64
/** No editor writes more into one list. */
const MAX_EDITS = 4096
/** More than fourteen seconds of the shortest samples. */
const MAX_THERE = 2 ** 17
/** ffmpeg takes no larger sample. */
const MAX_SAMPLE_BYTES = 0x3fffffff
/** ffprobe looks into 5 MB or 5 s of packets, of tracks that are a second apart at the most. */
const LOOKED_BYTES = 5_000_000
const LOOKED_S = 12
/** Edits that begin later show other packets first. */
const EDITS_WITHIN_S = 2
/** Two seconds of the fastest camera, of all tracks together. */
export const MAX_THERE_BYTES = 128 * 1024 ** 2
/** Of all tracks together. */
export const MAX_CHUNKS = 2_000_000
/** As many as an index can say the sizes of, but for PCM. */
export const MAX_SAMPLES = 2 ** 24
/** With these, more than the tables says what a sample is. */
const REFUSED: ReadonlySet<string> = new Set(['senc', 'saiz', 'saio', 'stz2'])

/** The tables of a track, each without version and flags. */
export interface Tables {
  /** What it is of (`hdlr`). */
  readonly handler: string
  readonly ticksPerS: number
  readonly descriptions: DataView
  readonly times: DataView
  readonly chunks: DataView
  readonly sizes: DataView
  readonly places: DataView
  readonly isLong: boolean
}

/** Null where a table is missing or there twice, or where edits begin late. */
export function tablesOf(index: Uint8Array, trak: Box): Tables | null {
  const only = (parts: readonly Box[] | null, ...types: readonly string[]): Box | null => {
    const [first, ...more] = (parts ?? []).filter(({ type }) => types.includes(type))
    return first === undefined || more.length > 0 ? null : first
  }
  const inside = (part: Box | null): readonly Box[] | null =>
    part === null ? null : partsOf(index, part)
  const parts = inside(trak)
  const media = inside(only(parts, 'mdia'))
  const stbl = inside(only(inside(only(media, 'minf')), 'stbl'))
  const places = only(stbl, 'stco', 'co64')
  const boxes = [
    ...['hdlr', 'mdhd'].map((type) => only(media, type)),
    ...['stsd', 'stts', 'stsc', 'stsz'].map((type) => only(stbl, type)),
    places,
  ]
  const [hdlr, mdhd, descriptions, times, chunks, sizes, last] = boxes.flatMap((each) =>
    each === null || each.end - each.bodyStart < 12 ? [] : [tableIn(index, each)],
  )
  if (hdlr === undefined || mdhd === undefined || descriptions === undefined) return null
  if (times === undefined || chunks === undefined || sizes === undefined) return null
  const ticksPerS = ticksIn(index, mdhd)
  const edits = (parts ?? []).filter(({ type }) => type === 'edts')
  const isEarly = edits.every((each) => beginsEarly(index, inside(each), ticksPerS))
  if (last === undefined || ticksPerS === 0 || !isEarly) return null
  const handler = String.fromCharCode(...[4, 5, 6, 7].map((at) => hdlr.getUint8(at)))
  const isLong = places?.type === 'co64'
  return { handler, ticksPerS, descriptions, times, chunks, sizes, places: last, isLong }
}

/** The boxes in a box; null where they do not fill it, or one is refused. */
function partsOf(index: Uint8Array, { bodyStart, end }: Box): readonly Box[] | null {
  const parts = Array.from(boxesIn(index, bodyStart, end, MAX_BOXES))
  const isWhole = parts.at(-1)?.end === end
  return isWhole && parts.every(({ type }) => !REFUSED.has(type)) ? parts : null
}

const FLAGS_BYTES = 4

function tableIn(index: Uint8Array, { bodyStart, end }: Box): DataView {
  const at = bodyStart + FLAGS_BYTES
  return new DataView(index.buffer, index.byteOffset + at, end - at)
}

function versionOf(index: Uint8Array, table: DataView): number {
  return index[table.byteOffset - index.byteOffset - FLAGS_BYTES] ?? 0
}

/** 0 where the box is cut. */
function ticksIn(index: Uint8Array, mdhd: DataView): number {
  const at = versionOf(index, mdhd) === 1 ? 16 : 8
  return mdhd.byteLength < at + 4 ? 0 : mdhd.getUint32(at)
}

/** Whether each edit shows the track from its first seconds on (ISO/IEC 14496-12 §8.6.6). */
function beginsEarly(index: Uint8Array, parts: readonly Box[] | null, ticksPerS: number): boolean {
  const [list, ...more] = parts ?? []
  if (list?.type !== 'elst' || more.length > 0 || list.end - list.bodyStart < 8) return false
  const table = tableIn(index, list)
  const isLong = versionOf(index, table) === 1
  const count = countIn(table, isLong ? 20 : 12)
  if (count === null || count > MAX_EDITS) return false
  const times = Array.from({ length: count }, (_, edit) =>
    isLong ? Number(table.getBigInt64(12 + 20 * edit)) : table.getInt32(8 + 12 * edit),
  )
  return times.every((time) => time <= EDITS_WITHIN_S * ticksPerS)
}

/** Entries of so many bytes behind their number; null where the box has no room for them. */
function countIn(table: DataView, entryBytes: number, countAt = 0): number | null {
  const count = table.getUint32(countAt)
  return countAt + 4 + count * entryBytes > table.byteLength ? null : count
}

/**
 * Null where the tables contradict each other, or name what the file does not have.
 * @param own as ffprobe named it; undefined of what is neither picture nor sound
 */
export async function planTrack(
  start: number,
  tables: Tables,
  own: FileTrack | undefined,
  size: number,
): Promise<TrackPlan | null> {
  const { descriptions, times, sizes } = tables
  const even = sizes.getUint32(0)
  const samples = even > 0 ? sizes.getUint32(4) : countIn(sizes, 4, 4)
  const runs = countIn(times, 8)
  if (samples === null || samples === 0 || runs === null) return null
  if (descriptions.getUint32(0) !== 1) return null
  for (let run = 0; run < runs; run += 1) {
    if (times.getUint32(8 + 8 * run) === 0) return null
    if (run % AT_ONCE === AT_ONCE - 1) await nextTurn()
  }
  // Then ffmpeg makes packets of it as of PCM, whatever it is.
  const isKept = own?.kind === 'sound' && runs === 1 && times.getUint32(8) === 1
  const frameBytes = own === undefined ? 0 : pcmBytesOf(own)
  if (isKept !== frameBytes > 0 || (!isKept && samples > MAX_SAMPLES)) return null
  const stored = even > 0 ? () => even : (sample: number) => sizes.getUint32(8 + 4 * sample)
  const sizeOf = isKept ? () => Math.max(even, frameBytes) : stored
  const placeOf = (chunk: number): number => placeIn(tables, chunk)
  const isEven = isKept || even > 0
  const isSeen = own !== undefined
  const firsts = await chunksOf(tables, { samples, sizeOf, isEven, size, isSeen })
  if (firsts === null) return null
  const before = isKept ? new Float64Array(1) : bytesBefore(tables, samples, sizeOf)
  const there = before.length - 1
  return there > MAX_THERE || (before[there] ?? 0) > MAX_THERE_BYTES
    ? null
    : { start, samples, sizeOf, isKept, there, before, firsts, placeOf }
}

/** Bytes of all channels together; 0 of what is no PCM. */
function pcmBytesOf({ stream }: FileTrack): number {
  const bits = /^pcm_[suf](\d+)/.exec(stream.codec_name ?? '')?.[1]
  return bits === undefined ? 0 : (Number(bits) / 8) * (stream.channels ?? 0)
}

/** So many entries of a table are looked at before others get a turn of the event loop. */
export const AT_ONCE = 8192

export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

interface Samples {
  readonly samples: number
  readonly sizeOf: (sample: number) => number
  /** Whether all have the same size, so that not each is looked at: a day of PCM has billions. */
  readonly isEven: boolean
  /** Of the file. */
  readonly size: number
  /** Whether its packets count, so that none may be empty. */
  readonly isSeen: boolean
}

/**
 * The first sample of each chunk, and how many there are; null where the chunks do not make up the
 * samples, are not in order, or do not lie in the file.
 */
async function chunksOf(
  tables: Tables,
  { samples, sizeOf, isEven, size, isSeen }: Samples,
): Promise<Float64Array | null> {
  const { chunks, places, isLong } = tables
  const runs = countIn(chunks, 12)
  const count = countIn(places, isLong ? 8 : 4)
  if (runs === null || count === null || count > MAX_CHUNKS) return null
  const firsts = new Float64Array(count + 1)
  let [sample, run] = [0, -1]
  for (let chunk = 0; chunk < count; chunk += 1) {
    if (run + 1 < runs && chunks.getUint32(4 + 12 * (run + 1)) === chunk + 1) run += 1
    if (run < 0 || chunks.getUint32(12 + 12 * run) !== 1) return null
    const end = sample + chunks.getUint32(8 + 12 * run)
    let place = placeIn(tables, chunk)
    if (end === sample || end > samples) return null
    if (chunk > 0 && place < placeIn(tables, chunk - 1)) return null
    const step = isEven ? end - sample : 1
    for (; sample < end; sample += step) {
      const bytes = sizeOf(sample)
      place += step * bytes
      if ((isSeen && bytes === 0) || bytes > MAX_SAMPLE_BYTES || place > size) return null
      if (sample % AT_ONCE === AT_ONCE - 1) await nextTurn()
    }
    firsts[chunk + 1] = end
    if (chunk % AT_ONCE === AT_ONCE - 1) await nextTurn()
  }
  return sample === samples && run === runs - 1 ? firsts : null
}

function placeIn({ places, isLong }: Tables, chunk: number): number {
  if (!isLong) return places.getUint32(4 + 4 * chunk)
  return places.getUint32(4 + 8 * chunk) * 2 ** 32 + places.getUint32(8 + 8 * chunk)
}

/** Of the first samples, into which ffprobe may look: bytes before each and before the next one. */
function bytesBefore(
  { times, ticksPerS }: Tables,
  samples: number,
  sizeOf: (sample: number) => number,
): Float64Array {
  const before = [0]
  const at = { run: -1, left: 0, ticks: 0, bytes: 0, looked: 0 }
  for (let sample = 0; sample < samples; sample += 1) {
    while (at.left === 0 && at.run + 1 < times.getUint32(0)) {
      at.run += 1
      at.left = times.getUint32(4 + 8 * at.run)
    }
    const seconds = at.ticks / ticksPerS
    if (seconds > EDITS_WITHIN_S + LOOKED_S || at.looked > LOOKED_BYTES) break
    if (at.bytes > MAX_THERE_BYTES || sample > MAX_THERE) break
    const bytes = sizeOf(sample)
    if (seconds > EDITS_WITHIN_S) at.looked += bytes
    at.bytes += bytes
    before.push(at.bytes)
    at.left -= 1
    at.ticks += times.getUint32(8 + 8 * at.run)
  }
  return Float64Array.from(before)
}

/** Lays the chunks of all tracks one behind the other, in the order of the file. */
export async function layOut(plans: readonly TrackPlan[]): Promise<Layout> {
  const places = plans.map(({ firsts }) => new Float64Array(firsts.length - 1))
  const count = places.reduce((sum, { length }) => sum + length, 0)
  const [starts, tracks, chunks] = [
    new Float64Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
  ]
  const copied: { place: number; bytes: number; at: number }[] = []
  const reached = plans.map(() => 0)
  let bytes = 0
  for (let each = 0; each < count; each += 1) {
    const track = nextTrack(plans, reached)
    const [plan, chunk, own] = [plans[track], reached[track], places[track]]
    if (plan === undefined || chunk === undefined || own === undefined) break
    const start = huskBytes(plan, plan.firsts[chunk] ?? 0)
    const there = huskBytes(plan, Math.min(plan.there, plan.firsts[chunk + 1] ?? 0)) - start
    if (there > 0) copied.push({ place: plan.placeOf(chunk), bytes: there, at: bytes })
    own[chunk] = bytes
    starts[each] = bytes
    tracks[each] = track
    chunks[each] = chunk
    reached[track] = chunk + 1
    bytes += huskBytes(plan, plan.firsts[chunk + 1] ?? 0) - start
    if (each % AT_ONCE === AT_ONCE - 1) await nextTurn()
  }
  const sizeAt: Layout['sizeAt'] = (place, found) => {
    const each = countUpTo(starts, place) - 1
    const plan = plans[tracks[each] ?? -1]
    if (plan === undefined || place >= bytes) return null
    if (plan.isKept) return found
    const first = plan.firsts[chunks[each] ?? 0] ?? 0
    return plan.sizeOf(sampleAt(plan, huskBytes(plan, first) + place - (starts[each] ?? 0)))
  }
  return { places, bytes, copied, sizeAt }
}

/** The track whose next chunk lies first in the file. */
function nextTrack(plans: readonly TrackPlan[], reached: readonly number[]): number {
  let [next, least] = [-1, Infinity]
  for (const [track, { firsts, placeOf }] of plans.entries()) {
    const chunk = reached[track] ?? 0
    if (chunk >= firsts.length - 1) continue
    const place = placeOf(chunk)
    if (place < least) [next, least] = [track, place]
  }
  return next
}

/** Bytes of a track in its husk before a sample, as far as they are its own. */
function huskBytes({ isKept, there, before, sizeOf }: TrackPlan, sample: number): number {
  if (isKept) return sample * sizeOf(0)
  return sample <= there ? (before[sample] ?? 0) : (before[there] ?? 0) + sample - there
}

/** The sample before which a track has so many bytes in its husk. */
function sampleAt({ there, before }: TrackPlan, bytes: number): number {
  const all = before[there] ?? 0
  return bytes >= all ? there + bytes - all : countUpTo(before, bytes) - 1
}

/** How many of these numbers, which are in order, are not greater. */
function countUpTo(numbers: Float64Array, most: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? Infinity) <= most) low = middle + 1
    else high = middle
  }
  return low
}
