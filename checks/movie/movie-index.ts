import { boxAt, boxesIn, timeScaleOf, trackIdOf, type Box } from '#checks/boxes.ts'
import { viewOf } from '#checks/bytes.ts'
import { ok, type Result } from '#recipes/result.ts'
import { indexOfFragments } from './fragments.ts'
import { refused, type MovieBytes, type NoIndex } from './movie-bytes.ts'
import { MOST_SAMPLES, type SampleClock, type SampleTables, type Sizes } from './sample-tables.ts'
import {
  bodyOf,
  editIn,
  finder,
  insideOf,
  kindOf,
  partsOf,
  tablesIn,
  textOf,
  type TrackEdit,
} from './track-boxes.ts'

/** What an MP4 or MOV says of its pictures and sounds; other tracks are left out. */
export interface MovieIndex {
  /** Of the file. */
  readonly sizeBytes: number
  /** The box `ftyp`, whole; empty where an old MOV has none. */
  readonly brand: Uint8Array
  /** The box `mvhd`, whole. */
  readonly header: Uint8Array
  readonly tracks: readonly MovieTrack[]
}

export interface MovieTrack {
  readonly id: number
  readonly kind: 'picture' | 'sound'
  /** The type of its sample description, such as `avc1`. */
  readonly format: string
  /** The box `trak`. */
  readonly bytes: Uint8Array
  readonly box: Box
  /** Ticks a second. */
  readonly timeScale: number
  /** Null = where the first sample is. */
  readonly edit: TrackEdit | null
  /** Ticks are samples of one size, as in PCM, which readers take in larger packets. */
  readonly isEven: boolean
  readonly tables: SampleTables
}

/** Far more than a day of pictures and sound needs. */
const MOST_INDEX_BYTES = 64 * 1024 ** 2
const MOST_BRAND_BYTES = 4096
/** Side by side in the file. */
const MOST_BOXES = 256
const MOST_TRACKS = 32

/**
 * Reads the index of an MP4 or MOV file, wherever it stands: some headers of 16 bytes and the
 * index itself, 64 MiB at the most, or all its pieces where it is in fragments ([Note:
 * fragments]). It has readers of its own and not mediabunny's or ffmpeg's, because an excerpt must
 * say exactly what its whole says, and a library hands on times that it has already changed; so
 * this code also runs wherever uploads do. What it does not understand completely, it refuses:
 * then the creator waits for the whole, and no edit shows a wrong place.
 * @param nextTask ends a task: the tables of two hours take tens of milliseconds, so that each
 *   track has a task of its own
 */
export async function readMovieIndex(
  source: MovieBytes,
  nextTask: () => Promise<void>,
): Promise<Result<MovieIndex, NoIndex>> {
  const { sizeBytes, isFar = false } = source
  const top: Box[] = []
  for (let offset = 0; offset + 8 <= sizeBytes && top.length < MOST_BOXES;) {
    const bytes = await source.read(offset, Math.min(offset + 16, sizeBytes))
    if (!bytes.ok) return refused('excerpt/unreadable')
    const box = boxAt(new Uint8Array(bytes.value), offset, sizeBytes)
    if (box === null) break
    if (box.type === 'moof') break
    top.push(box)
    offset = box.end
  }
  const index = top.find(({ type }) => type === 'moov')
  if (index === undefined) return refused('excerpt/not-a-movie')
  const brand = top.find(({ type }) => type === 'ftyp')
  const isAbsurd =
    index.end > sizeBytes ||
    index.end - index.start > MOST_INDEX_BYTES ||
    (brand !== undefined && brand.end - brand.start > MOST_BRAND_BYTES)
  if (isAbsurd) return refused('excerpt/unusual')
  const read = await source.read(index.start, index.end)
  const said = brand === undefined ? null : await source.read(brand.start, brand.end)
  if (!read.ok || said?.ok === false) return refused('excerpt/unreadable')
  const bytes = new Uint8Array(read.value)
  const isFragmented = partsOf(bytes.subarray(index.bodyStart - index.start)).some(
    ({ type }) => type === 'mvex',
  )
  if (isFragmented && isFar) return refused('excerpt/unusual')
  const whole = isFragmented
    ? await indexOfFragments(source, bytes, index.end, nextTask)
    : ok(bytes)
  if (!whole.ok) return whole
  return await parseIndex(
    whole.value,
    said === null ? new Uint8Array() : new Uint8Array(said.value),
    sizeBytes,
    nextTask,
  )
}

async function parseIndex(
  bytes: Uint8Array,
  brand: Uint8Array,
  sizeBytes: number,
  nextTask: () => Promise<void>,
): Promise<Result<MovieIndex, NoIndex>> {
  const [moov] = boxesIn(bytes, 0, bytes.byteLength)
  const parts = moov === undefined ? null : insideOf(bytes, moov)
  if (parts === null) return refused('excerpt/unusual')
  const header = parts.find(({ type }) => type === 'mvhd')
  const timeScale = header === undefined ? 0 : timeScaleOf(bodyOf(bytes, header))
  if (header === undefined || timeScale === 0) return refused('excerpt/unusual')
  const tracks: MovieTrack[] = []
  let hasOthers = false
  for (const box of parts.filter(({ type }) => type === 'trak')) {
    await nextTask()
    const track = trackIn(bytes.subarray(box.start, box.end), timeScale)
    if (track === 'unusual' || tracks.length === MOST_TRACKS) return refused('excerpt/unusual')
    if (track === 'other') hasOthers = true
    else tracks.push(track)
  }
  if (!tracks.some(({ kind }) => kind === 'picture')) return refused('excerpt/not-a-movie')
  const samples = tracks.reduce((sum, { isEven, tables }) => sum + (isEven ? 0 : tables.count), 0)
  if (samples > MOST_SAMPLES) return refused('excerpt/unusual')
  // The clock of a file begins with the first of all its tracks, also of those that are left out.
  if (hasOthers && tracks.every(({ edit }) => (edit?.waitS ?? 0) > 0))
    return refused('excerpt/unusual')
  return ok({ sizeBytes, brand, header: bytes.subarray(header.start, header.end), tracks })
}

const ENCRYPTED: ReadonlySet<string> = new Set(['encv', 'enca', 'drmi', 'drms'])

function trackIn(bytes: Uint8Array, movieScale: number): MovieTrack | 'other' | 'unusual' {
  const [box] = boxesIn(bytes, 0, bytes.byteLength)
  const find = finder(bytes, box)
  const kind = kindOf(find('mdia', 'hdlr'))
  if (kind === 'other') return 'other'
  const [header, media, described] = [
    find('tkhd'),
    find('mdia', 'mdhd'),
    find('mdia', 'minf', 'stbl', 'stsd'),
  ]
  if (!box || !kind || header === null || media === null || described === null) return 'unusual'
  const timeScale = timeScaleOf(media)
  const id = trackIdOf(header)
  const entry = onlyEntry(described)
  const format = entry === null ? '' : textOf(entry.subarray(4, 8))
  const edit = editIn(find('edts', 'elst'), movieScale)
  const tables = tablesIn(partsOf(find('mdia', 'minf', 'stbl')))
  if (
    timeScale === 0 ||
    id === 0 ||
    entry === null ||
    ENCRYPTED.has(format) ||
    !isInThisFile(find('mdia', 'minf', 'dinf', 'dref')) ||
    edit === 'unusual' ||
    tables === null
  )
    return 'unusual'
  const isEven = kind === 'sound' && isByTheTick(tables.clock)
  if (kind === 'picture' && tables.keys?.length === 0) return 'unusual'
  const even = isEven ? evenSize(entry, tables.sizes) : null
  if (isEven && even === null) return 'unusual'
  const sizes = even === null ? tables.sizes : { even, of: () => even }
  return { id, kind, format, bytes, box, timeScale, edit, isEven, tables: { ...tables, sizes } }
}

function onlyEntry(described: Uint8Array): Uint8Array | null {
  if (described.byteLength < 16) return null
  const view = viewOf(described)
  const size = view.getUint32(8)
  return view.getUint32(4) === 1 && size >= 16 && 8 + size <= described.byteLength
    ? described.subarray(8, 8 + size)
    : null
}

/** Whether all media of a track lie in the file itself (`dref`). */
function isInThisFile(references: Uint8Array | null): boolean {
  if (references === null) return true
  const boxes = Array.from(boxesIn(references, 8, references.byteLength)).slice(0, MOST_BOXES)
  return boxes.every(({ bodyStart }) => ((references[bodyStart + 3] ?? 0) & 1) === 1)
}

function isByTheTick({ deltas }: SampleClock): boolean {
  return deltas.length === 1 && deltas[0] === 1
}

/** Bytes of one channel of a sample, by the format; of the others the description says it. */
const CHANNEL_BYTES: Readonly<Record<string, number>> = {
  ulaw: 1,
  alaw: 1,
  in24: 3,
  in32: 4,
  fl32: 4,
  fl64: 8,
}
const BY_BITS: ReadonlySet<string> = new Set([
  'sowt',
  'twos',
  'raw ',
  'NONE',
  'lpcm',
  'ipcm',
  'fpcm',
])

/**
 * The size of a sample of PCM: `stsz` of old files says 1 instead. Null where samples come in
 * packets of several, and where two places contradict each other.
 */
function evenSize(entry: Uint8Array, { even }: Sizes): number | null {
  if (entry.byteLength < 36 || even === null) return null
  const view = viewOf(entry)
  const version = view.getUint16(16)
  if (version > 2 || entry.byteLength < [36, 52, 72][version]!) return null
  const isNewest = version === 2
  const perPacket = version === 1 ? view.getUint32(36) : isNewest ? view.getUint32(68) : 1
  const channels = isNewest ? view.getUint32(48) : view.getUint16(24)
  const bits = isNewest ? view.getUint32(56) : view.getUint16(26)
  const format = textOf(entry.subarray(4, 8))
  const channelBytes = CHANNEL_BYTES[format] ?? (BY_BITS.has(format) ? bits / 8 : 0)
  const size = channels * channelBytes
  const isKnown = Number.isInteger(size) && size > 0 && size < 1024 && perPacket === 1
  return isKnown && (even === size || even === 1) ? size : null
}
