import { open, type FileHandle } from 'node:fs/promises'
import { boxesIn, boxesWithin, type Box } from '#checks/boxes.ts'
import type { FileTrack } from '#checks/ffprobe-tracks.ts'
import {
  AT_ONCE,
  layOut,
  MAX_CHUNKS,
  MAX_SAMPLES,
  MAX_THERE_BYTES,
  nextTurn,
  planTrack,
  tablesOf,
  type TrackPlan,
} from './husk-layout.ts'

/**
 * [Note: husks] The husk of an MP4 or MOV has its index and its first seconds; each later sample is
 * one byte, and samples of PCM, by whose size ffprobe makes packets, are holes. ffprobe tells the
 * same packets of it in the same order, edit lists and all, because it takes them from the index:
 * it looks into the bytes of the first seconds only, for what the index does not say, such as how
 * long the last packet lasts. Sizes and places differ, and the index says the sizes: so the survey
 * of 25 GB reads some megabytes. But for which pictures of H.264 are key frames, which ffprobe
 * reads in the bytes of each: of those behind the first nothing is said. The file must have what
 * its index names. Where a sample lies outside of it, where ffprobe would look into more bytes, or
 * where anything is not as expected, there is no husk, and the file itself is read.
 */
export interface Husk {
  /** Bytes of the packet at a place of the husk that has `bytes` there; null of no sample. */
  sizeAt(place: number, bytes: number): number | null
}

/** What ffprobe calls codecs whose packets it takes as they are stored (its `need_parsing`). */
const AS_STORED = /^(?:h264|hevc|prores|aac|pcm_[suf](?:8|\d\d[bl]e))$/

/** No camera and no editor writes more boxes side by side. */
const MAX_BOXES = 64
/** Of a day with 30 pictures a second. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2
/** More than any list of brands has. */
const MAX_BRAND_BYTES = 4096
/** No camera writes as many. */
const MAX_TRACKS = 16
/** Boxes beside the index that say nothing of its samples. */
const BESIDE: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide'])

/**
 * Writes the husk of a file to a path; null where it has none.
 * @param tracks of the file, as ffprobe named them
 */
export async function writeHusk(
  from: string,
  to: string,
  tracks: readonly FileTrack[],
): Promise<Husk | null> {
  if (!tracks.every(({ stream }) => AS_STORED.test(stream.codec_name ?? ''))) return null
  await using file = await open(from, 'r')
  const { size } = await file.stat()
  const head = await readHead(file, size)
  const plans = head === null ? null : await planTracks(head.index, tracks, size)
  return head === null || plans === null ? null : await write(file, to, head, plans, size)
}

interface Head {
  readonly brand: Uint8Array
  /** The box `moov`, whole. */
  readonly index: Uint8Array
}

async function readHead(file: FileHandle, size: number): Promise<Head | null> {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start))
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, start)
    return bytes.subarray(0, bytesRead)
  }
  const top = await boxesWithin(read, 0, size, MAX_BOXES)
  const [index, ...more] = top.filter(({ type }) => type === 'moov')
  const isKnown = top.every(({ type }) => BESIDE.has(type)) && top.at(-1)?.end === size
  if (index === undefined || more.length > 0 || !isKnown) return null
  if (index.end - index.start > MAX_INDEX_BYTES) return null
  const brand = top.find(({ type }) => type === 'ftyp')
  if (brand !== undefined && brand.end - brand.start > MAX_BRAND_BYTES) return null
  return {
    brand: brand === undefined ? new Uint8Array() : await read(brand.start, brand.end),
    index: await read(index.start, index.end),
  }
}

const KINDS: Readonly<Record<string, FileTrack['kind']>> = { vide: 'picture', soun: 'sound' }

async function planTracks(
  index: Uint8Array,
  tracks: readonly FileTrack[],
  size: number,
): Promise<readonly TrackPlan[] | null> {
  const parts = Array.from(boxesIn(index, wholeOf(index).bodyStart, index.byteLength, MAX_BOXES))
  const isOdd = parts.some(({ type }) => type === 'mvex' || type === 'cmov' || type === 'rmra')
  if (isOdd || parts.at(-1)?.end !== index.byteLength) return null
  if (parts.filter(({ type }) => type === 'trak').length > MAX_TRACKS) return null
  const plans: TrackPlan[] = []
  const all = { chunks: 0, samples: 0, thereBytes: 0 }
  const seen = { picture: 0, sound: 0 }
  for (const trak of parts.filter(({ type }) => type === 'trak')) {
    const tables = tablesOf(index, trak)
    if (tables === null) return null
    const kind = KINDS[tables.handler]
    const own = tracks.find((track) => track.kind === kind && track.number === seen[track.kind])
    if (kind !== undefined && own === undefined) return null
    if (kind !== undefined) seen[kind] += 1
    const plan = await planTrack(trak.start, tables, own, size)
    if (plan === null) return null
    all.chunks += plan.firsts.length - 1
    all.thereBytes += plan.before[plan.there] ?? 0
    all.samples += plan.isKept ? 0 : plan.samples
    if (all.chunks > MAX_CHUNKS || all.samples > MAX_SAMPLES) return null
    if (all.thereBytes > MAX_THERE_BYTES) return null
    plans.push(plan)
  }
  return seen.picture + seen.sound === tracks.length ? plans : null
}

/** Of a box whose length has 64 bits. */
const LONG_HEADER_BYTES = 16

async function write(
  from: FileHandle,
  to: string,
  { brand, index }: Head,
  plans: readonly TrackPlan[],
  size: number,
): Promise<Husk | null> {
  const layout = await layOut(plans)
  // Chunks that lie over each other.
  if (layout.bytes > size) return null
  const tables = plans.map((plan, at) => ({
    ...plan,
    places: Buffer.alloc(8 + 8 * (layout.places[at]?.length ?? 0)),
    sizes: sizesTable(plan),
  }))
  const changed = rebuilt(index, wholeOf(index), (type, trak) => {
    const own = tables.find(({ start }) => start === trak)
    if (own === undefined) return null
    if (type === 'stco' || type === 'co64') return boxOf('co64', [own.places])
    return type === 'stsz' && !own.isKept ? boxOf('stsz', own.sizes) : null
  })
  const mediaAt = brand.byteLength + bytesOf(changed) + LONG_HEADER_BYTES
  for (const [at, { places }] of tables.entries())
    await writePlaces(places, layout.places[at] ?? new Float64Array(), mediaAt)
  const header = Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\0\0', 'latin1')
  header.writeBigUInt64BE(BigInt(layout.bytes + LONG_HEADER_BYTES), 8)
  await using file = await open(to, 'wx', 0o600)
  await file.writeFile([brand, ...changed, header])
  await file.truncate(mediaAt + layout.bytes)
  for (const { place, bytes, at } of layout.copied)
    await copyBytes({ from, place }, { to: file, at: mediaAt + at }, bytes)
  return { sizeAt: (place, bytes) => layout.sizeAt(place - mediaAt, bytes) }
}

const COPIED_BYTES = 1024 ** 2

async function copyBytes(
  { from, place }: { readonly from: FileHandle; readonly place: number },
  { to, at }: { readonly to: FileHandle; readonly at: number },
  bytes: number,
): Promise<void> {
  const piece = Buffer.alloc(Math.min(bytes, COPIED_BYTES))
  for (let done = 0; done < bytes;) {
    const most = Math.min(piece.byteLength, bytes - done)
    const { bytesRead } = await from.read(piece, 0, most, place + done)
    if (bytesRead === 0) throw new Error('A file has become shorter')
    await to.writev([piece.subarray(0, bytesRead)], at + done)
    done += bytesRead
  }
}

const PATH: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

function wholeOf(index: Uint8Array): Box {
  const [moov] = boxesIn(index, 0, index.byteLength)
  if (moov === undefined) throw new Error('An index has lost its header')
  return moov
}

/** The index in pieces; `tableOf` gives tables that take the place of those in a track. */
function rebuilt(
  index: Uint8Array,
  part: Box,
  tableOf: (type: string, trak: number) => readonly Uint8Array[] | null,
  trak = -1,
): readonly Uint8Array[] {
  if (!PATH.has(part.type))
    return tableOf(part.type, trak) ?? [index.subarray(part.start, part.end)]
  const own = part.type === 'trak' ? part.start : trak
  const parts = Array.from(boxesIn(index, part.bodyStart, part.end))
  return boxOf(
    part.type,
    parts.flatMap((each) => rebuilt(index, each, tableOf, own)),
  )
}

/** In two halves each, because numbers of 64 bits take ten times as long. */
async function writePlaces(table: Buffer, places: Float64Array, mediaAt: number): Promise<void> {
  table.writeUInt32BE(places.length, 4)
  for (let chunk = 0; chunk < places.length; chunk += 1) {
    const place = mediaAt + (places[chunk] ?? 0)
    table.writeUInt32BE(Math.floor(place / 2 ** 32), 8 + 8 * chunk)
    table.writeUInt32BE(place % 2 ** 32, 12 + 8 * chunk)
    if (chunk % AT_ONCE === AT_ONCE - 1) await nextTurn()
  }
}

/** Many sizes of one byte. */
const ONES = Buffer.alloc(256 * 1024, Buffer.from([0, 0, 0, 1]))

function sizesTable({ samples, there, sizeOf }: TrackPlan): readonly Uint8Array[] {
  const first = Buffer.alloc(12 + 4 * there)
  first.writeUInt32BE(samples, 8)
  for (let sample = 0; sample < there; sample += 1)
    first.writeUInt32BE(sizeOf(sample), 12 + 4 * sample)
  const rest = 4 * (samples - there)
  const pieces = Array.from({ length: Math.floor(rest / ONES.byteLength) }, () => ONES)
  return [first, ...pieces, ONES.subarray(0, rest % ONES.byteLength)]
}

function boxOf(type: string, body: readonly Uint8Array[]): readonly Uint8Array[] {
  const header = Buffer.from(`\0\0\0\0${type}`, 'latin1')
  header.writeUInt32BE(8 + bytesOf(body))
  return [header, ...body]
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
