import { childrenOf, elementAt, findElement, valueOf, type Element } from '#checks/ebml.ts'
import { blocksIn } from '#checks/movie/segment-blocks.ts'

/**
 * What the first bytes of a Matroska or WebM file say of its tracks (RFC 8794, RFC 9559), without
 * reading a whole cluster. Pure.
 */

export interface SegmentStart {
  /** Seconds that a picture stays, by track number, of tracks that say so. */
  readonly pictureSeconds: ReadonlyMap<number, number>
  /** Of the first block in the file; null when it is not within the bytes. */
  readonly firstSeconds: number | null
  /** Of the first block of each track, by its number, as far as one is within the bytes. */
  readonly trackSeconds: ReadonlyMap<number, number>
  /** How many blocks of each track, by its number, are within the bytes. */
  readonly trackBlocks: ReadonlyMap<number, number>
}

const [SEGMENT, INFO, TIMESTAMP_SCALE, TRACKS, TRACK_ENTRY, TRACK_NUMBER, DEFAULT_DURATION] = [
  0x18538067, 0x1549a966, 0x2ad7b1, 0x1654ae6b, 0xae, 0xd7, 0x23e383,
]
const [SEEK_HEAD, SEEK, SEEK_ID, SEEK_POSITION, TRACK_UID] = [
  0x114d9b74, 0x4dbb, 0x53ab, 0x53ac, 0x73c5,
]
const [TAGS, TAG, TARGETS, TAG_TRACK_UID, SIMPLE_TAG, TAG_NAME, TAG_STRING] = [
  0x1254c367, 0x7373, 0x63c0, 0x63c5, 0x67c8, 0x45a3, 0x4487,
]
const NANOSECONDS = 1_000_000_000
const USUAL_SCALE_NS = 1_000_000

/** Reads `head`, the first bytes of the file; null when they are no segment. */
export function readSegmentStart(head: Uint8Array): SegmentStart | null {
  const segment = segmentOf(head)
  if (segment === null) return null
  const pictureSeconds = new Map<number, number>()
  const trackBlocks = new Map<number, number>()
  const trackSeconds = new Map<number, number>()
  let firstSeconds: number | null = null
  let scaleNs = USUAL_SCALE_NS
  for (const child of childrenOf(head, segment)) {
    if (child.id === INFO) scaleNs = valueOf(head, child, TIMESTAMP_SCALE) ?? USUAL_SCALE_NS
    if (child.id === TRACKS) {
      for (const track of childrenOf(head, child)) {
        const [number, staysNs] =
          track.id === TRACK_ENTRY
            ? [valueOf(head, track, TRACK_NUMBER), valueOf(head, track, DEFAULT_DURATION)]
            : [null, null]
        if (number !== null && staysNs !== null && staysNs > 0)
          pictureSeconds.set(number, staysNs / NANOSECONDS)
      }
    }
  }
  for (const { track, ticks } of blocksIn(head.subarray(segment.bodyStart))) {
    const seconds = (ticks * scaleNs) / NANOSECONDS
    firstSeconds ??= seconds
    if (!trackSeconds.has(track)) trackSeconds.set(track, seconds)
    trackBlocks.set(track, (trackBlocks.get(track) ?? 0) + 1)
  }
  return { pictureSeconds, firstSeconds, trackSeconds, trackBlocks }
}

/**
 * Where in the file its tags are, by `head`, its first bytes: writers put them before the first
 * cluster, or behind the last one and note it in front. Null where they are not known.
 */
export function tagsOffset(head: Uint8Array): number | null {
  const segment = segmentOf(head)
  if (segment === null) return null
  let at = segment.bodyStart
  let noted: number | null = null
  for (const child of childrenOf(head, segment)) {
    if (child.id === TAGS) return at
    if (child.id === SEEK_HEAD) noted ??= notedOffset(head, child, TAGS)
    at = child.end ?? at
  }
  return noted === null ? null : segment.bodyStart + noted
}

/**
 * When tracks end, in seconds by the file's clock and by track number, as `tags` note it in their
 * statistics (the tag DURATION). `tags` begins with the element that `tagsOffset` found.
 */
export function trackEnds(head: Uint8Array, tags: Uint8Array): ReadonlyMap<number, number> {
  const numbers = trackNumbers(head)
  const ends = new Map<number, number>()
  const list = elementAt(tags, 0)
  if (list?.id !== TAGS) return ends
  for (const tag of childrenOf(tags, list)) {
    if (tag.id !== TAG) continue
    const targets = findElement(tags, tag, TARGETS)
    const uid = targets === null ? null : uidOf(tags, findElement(tags, targets, TAG_TRACK_UID))
    const number = uid === null ? undefined : numbers.get(uid)
    const seconds = notedSeconds(tags, tag)
    if (number !== undefined && seconds !== null && seconds > 0) ends.set(number, seconds)
  }
  return ends
}

function segmentOf(head: Uint8Array): Element | null {
  const header = elementAt(head, 0)
  const segment = header === null || header.end === null ? null : elementAt(head, header.end)
  return segment?.id === SEGMENT ? segment : null
}

/** Counted from the beginning of the segment's body. */
function notedOffset(bytes: Uint8Array, seekHead: Element, wanted: number): number | null {
  for (const seek of childrenOf(bytes, seekHead))
    if (seek.id === SEEK && valueOf(bytes, seek, SEEK_ID) === wanted)
      return valueOf(bytes, seek, SEEK_POSITION)
  return null
}

function trackNumbers(head: Uint8Array): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const segment = segmentOf(head)
  const tracks = segment === null ? null : findElement(head, segment, TRACKS)
  if (tracks === null) return numbers
  for (const track of childrenOf(head, tracks)) {
    const number = valueOf(head, track, TRACK_NUMBER)
    const uid = uidOf(head, findElement(head, track, TRACK_UID))
    if (track.id === TRACK_ENTRY && number !== null && uid !== null) numbers.set(uid, number)
  }
  return numbers
}

/** As text: a number of 64 bits is not exact. Null where it is not there or cut. */
function uidOf(bytes: Uint8Array, element: Element | null): string | null {
  if (element === null || element.end === null || element.end > bytes.byteLength) return null
  return bytes
    .subarray(element.bodyStart, element.end)
    .join('.')
    .replace(/^(?:0\.)+/, '')
}

/** The tag DURATION, such as `00:01:00.021000000`, in seconds. */
function notedSeconds(bytes: Uint8Array, tag: Element): number | null {
  const text = (parent: Element, id: number): string => {
    const found = findElement(bytes, parent, id)
    return new TextDecoder().decode(
      bytes.subarray(found?.bodyStart ?? 0, found?.end ?? found?.bodyStart ?? 0),
    )
  }
  for (const note of childrenOf(bytes, tag)) {
    if (note.id !== SIMPLE_TAG || text(note, TAG_NAME) !== 'DURATION') continue
    const match = /^(\d+):(\d+):(\d+(?:\.\d+)?)\0*$/.exec(text(note, TAG_STRING))
    if (match !== null) return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
  }
  return null
}
