import {
  childrenOf,
  elementAt,
  findElement,
  textOf,
  valueOf,
  type PlacedElement,
} from '#checks/ebml.ts'
import { ok, type Result } from '#recipes/result.ts'
import { refused, type MovieBytes, type NoIndex } from './movie-bytes.ts'
import { areKeys, beginningOf, blocksIn, CLUSTER, type Beginning } from './segment-blocks.ts'
import { saidAgain, trackIn, type SegmentTrack } from './segment-entries.ts'

/** What a Matroska or WebM file says of its pictures and sounds (RFC 9559). */
export interface SegmentIndex {
  /** The EBML header, whole. */
  readonly header: Uint8Array
  /** Places of the cues count from here. */
  readonly bodyStart: number
  readonly end: number
  /** Of a tick. */
  readonly seconds: number
  /** What `Info` says of the clock and the length, as elements. */
  readonly clock: Uint8Array
  readonly tracks: readonly SegmentTrack[]
  /** In order of their time. */
  readonly cues: readonly Cue[]
  readonly firstCluster: number
  readonly beginning: Beginning
}

/** Where decoding of a track can begin. */
export interface Cue {
  readonly ticks: number
  readonly track: number
  /** A place in the file. */
  readonly cluster: number
  /** Of the block within its cluster; null = not said. */
  readonly relative: number | null
}

const [SEGMENT, INFO, TRACKS, CUES, SEEK_HEAD] = [
  0x18538067, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x114d9b74,
]
const [DOC_TYPE, SCALE, DURATION] = [0x4282, 0x2ad7b1, 0x4489]
const [SEEK, SEEK_ID, SEEK_PLACE] = [0x4dbb, 0x53ab, 0x53ac]
const [CUE_POINT, CUE_TIME, CUE_POSITIONS] = [0xbb, 0xb3, 0xb7]
const [CUE_TRACK, CUE_CLUSTER, CUE_RELATIVE] = [0xf7, 0xf1, 0xf0]
const USUAL_SCALE_NS = 1_000_000
const NANOSECONDS = 1_000_000_000

/** A header of an element, or of a cluster with its time. */
const HEADER_BYTES = 16
/** Before the first cluster. */
const MOST_ELEMENTS = 256
const MOST_HEADER_BYTES = 4096
const MOST_TRACKS_BYTES = 4 * 1024 ** 2
const MOST_TRACKS = 32
/** ffmpeg halves a longer index, and begins elsewhere then. */
const MOST_CUES = 40_000
const MOST_CUES_BYTES = 16 * 1024 ** 2
/** So many bytes of cues are read in a task: of ffmpeg's, some hundreds. */
const BYTES_AT_ONCE = 16 * 1024
/**
 * ffmpeg learns from the first 5 MB or 5 s what a file is, whichever ends first; with what clusters
 * and blocks have around that.
 */
export const FIRST_BYTES = 5_500_000
export const FIRST_S = 5.5

/**
 * Reads the index of a Matroska or WebM file, wherever its cues stand: some headers, its tracks and
 * cues, and 5.5 MB of its first clusters. What it does not understand completely, it refuses.
 */
export async function readSegmentIndex(
  source: MovieBytes,
  nextTask: () => Promise<void>,
): Promise<Result<SegmentIndex, NoIndex>> {
  let isBroken = false
  const read: Read = async (start, end) => {
    if (start >= source.sizeBytes) return new Uint8Array()
    const bytes = await source.read(start, Math.min(end, source.sizeBytes))
    isBroken ||= !bytes.ok
    return bytes.ok ? new Uint8Array(bytes.value) : new Uint8Array()
  }
  const index = await indexIn(read, source.sizeBytes, nextTask)
  if (isBroken) return refused('excerpt/unreadable')
  return typeof index === 'string' ? refused(index) : ok(index)
}

/** Fewer bytes where they cannot be read, or end before. */
type Read = (start: number, end: number) => Promise<Uint8Array>

async function indexIn(
  read: Read,
  sizeBytes: number,
  nextTask: () => Promise<void>,
): Promise<SegmentIndex | NoIndex['code']> {
  const header = await elementIn(read, 0, MOST_HEADER_BYTES)
  if (header === null) return 'excerpt/unusual'
  const brand = await read(0, header.end)
  if (!DOC_TYPES.has(textOf(brand, header, DOC_TYPE))) return 'excerpt/not-a-movie'
  const segment = await elementIn(read, header.end, sizeBytes)
  if (segment?.id !== SEGMENT)
    return (await isEndless(read, header.end)) ? 'excerpt/no-cues' : 'excerpt/unusual'
  const parts = await partsOf(read, segment)
  if (parts === null) return 'excerpt/unusual'
  const { info, tracks: entries, cues: listed, firstCluster } = parts
  if (listed === null) return 'excerpt/no-cues'
  if (listed.end - listed.start > MOST_CUES_BYTES) return 'excerpt/unusual'
  const said = clockIn(await read(info.start, info.end))
  const tracks = tracksIn(await read(entries.start, entries.end))
  if (typeof tracks === 'string') return tracks
  const { bodyStart, end } = segment
  const cues = await cuesIn(await read(listed.start, listed.end), bodyStart, nextTask)
  if (said === null || cues === null) return 'excerpt/unusual'
  const pictures = new Set(tracks.flatMap(({ kind, number }) => (kind === 'picture' ? number : [])))
  if (pictures.size === 0) return 'excerpt/not-a-movie'
  const ofPictures = cues.filter(({ track }) => pictures.has(track))
  if (ofPictures.length < 2) return 'excerpt/no-cues'
  const first = await read(firstCluster, Math.min(firstCluster + FIRST_BYTES, end))
  const blocks = [...blocksIn(first)]
  const beginning = beginningOf(blocks, tracks, said.seconds)
  if (beginning === null || !areKeys(ofPictures, blocks)) return 'excerpt/unusual'
  return { header: brand, bodyStart, end, ...said, tracks, cues, firstCluster, beginning }
}

const DOC_TYPES: ReadonlySet<string> = new Set(['matroska', 'webm'])

/** An element of the file that says where it ends, and does so by `limit`. */
async function elementIn(read: Read, at: number, limit: number): Promise<Ended | null> {
  const element = elementAt(await read(at, at + HEADER_BYTES), 0)
  if (element?.end == null || at + element.end > limit) return null
  return { id: element.id, start: at, bodyStart: at + element.bodyStart, end: at + element.end }
}

/** A recording that was cut off, or was sent while it was made. */
async function isEndless(read: Read, at: number): Promise<boolean> {
  const element = elementAt(await read(at, at + HEADER_BYTES), 0)
  return element?.id === SEGMENT && element.end === null
}

interface Ended extends PlacedElement {
  readonly end: number
}

interface Parts {
  readonly info: Ended
  readonly tracks: Ended
  readonly cues: Ended | null
  readonly firstCluster: number
}

/** The elements before the first cluster, and the cues, which most writers put behind the last. */
async function partsOf(read: Read, segment: Ended): Promise<Parts | null> {
  const parts = new Map<number, Ended>()
  let at = segment.bodyStart
  while (!parts.has(CLUSTER)) {
    const element = await elementIn(read, at, segment.end)
    if (element === null || parts.size === MOST_ELEMENTS) return null
    // Space that is kept free is said several times, and counts.
    parts.set(parts.has(element.id) ? -at : element.id, element)
    at = element.end
  }
  const [info, tracks, seeks] = [parts.get(INFO), parts.get(TRACKS), parts.get(SEEK_HEAD)]
  const firstCluster = parts.get(CLUSTER)?.start ?? 0
  const isAbsurd = [info, tracks, seeks].some(
    (part) => part !== undefined && part.end - part.start > MOST_TRACKS_BYTES,
  )
  if (info === undefined || tracks === undefined || isAbsurd) return null
  const place = seeks === undefined ? null : cuesPlace(await read(seeks.start, seeks.end))
  const behind =
    place === null ? null : await elementIn(read, segment.bodyStart + place, segment.end)
  const cues = parts.get(CUES) ?? (behind?.id === CUES ? behind : null)
  return { info, tracks, cues, firstCluster }
}

/** Where the cues are, counted from the segment's body; null where that is not said. */
function cuesPlace(bytes: Uint8Array): number | null {
  const head = elementAt(bytes, 0)
  if (head === null) return null
  for (const seek of childrenOf(bytes, head, MOST_ELEMENTS))
    if (seek.id === SEEK && valueOf(bytes, seek, SEEK_ID) === CUES)
      return valueOf(bytes, seek, SEEK_PLACE)
  return null
}

function clockIn(bytes: Uint8Array): Pick<SegmentIndex, 'seconds' | 'clock'> | null {
  const info = elementAt(bytes, 0)
  if (info === null || findElement(bytes, info, DURATION) === null) return null
  const scaleNs = valueOf(bytes, info, SCALE) ?? USUAL_SCALE_NS
  if (scaleNs === 0) return null
  const clock = saidAgain(bytes, info, new Set([SCALE, DURATION]))
  return { seconds: scaleNs / NANOSECONDS, clock }
}

function tracksIn(bytes: Uint8Array): readonly SegmentTrack[] | NoIndex['code'] {
  const all = elementAt(bytes, 0)
  if (all === null) return 'excerpt/unusual'
  const tracks: SegmentTrack[] = []
  for (const entry of childrenOf(bytes, all, MOST_ELEMENTS)) {
    const track = trackIn(bytes, entry)
    if (track === 'none') continue
    if (track === 'unusual' || tracks.length === MOST_TRACKS) return 'excerpt/unusual'
    if (track === 'other') return 'excerpt/other-tracks'
    tracks.push(track)
  }
  const numbers = new Set(tracks.map(({ number }) => number))
  return numbers.size < tracks.length ? 'excerpt/unusual' : tracks
}

/** Null where they are too many, or not in order. */
async function cuesIn(
  bytes: Uint8Array,
  bodyStart: number,
  nextTask: () => Promise<void>,
): Promise<readonly Cue[] | null> {
  const all = elementAt(bytes, 0)
  const cues: Cue[] = []
  let [latest, points, reached] = [0, 0, 0]
  for (const point of all === null ? [] : childrenOf(bytes, all)) {
    points += 1
    if (points > MOST_CUES) return null
    if (point.start >= reached + BYTES_AT_ONCE) {
      reached = point.start
      await nextTask()
    }
    if (point.id !== CUE_POINT) continue
    const ticks = valueOf(bytes, point, CUE_TIME)
    if (ticks === null || ticks < latest) return null
    latest = ticks
    for (const position of childrenOf(bytes, point, MOST_TRACKS + 1)) {
      if (position.id !== CUE_POSITIONS) continue
      const track = valueOf(bytes, position, CUE_TRACK)
      const cluster = valueOf(bytes, position, CUE_CLUSTER)
      if (track === null || cluster === null) return null
      const relative = valueOf(bytes, position, CUE_RELATIVE)
      cues.push({ ticks, track, cluster: bodyStart + cluster, relative })
    }
  }
  return cues
}
