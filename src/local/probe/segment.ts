/**
 * What the first bytes of a Matroska or WebM file say of its tracks (RFC 8794, RFC 9559), without
 * reading a whole cluster. Pure.
 */

/** An element; `end` null = it does not say where it ends (live recordings). */
export interface Element {
  readonly id: number
  readonly bodyStart: number
  readonly end: number | null
}

export interface SegmentStart {
  /** Seconds that a picture stays, by track number, of tracks that say so. */
  readonly pictureSeconds: ReadonlyMap<number, number>
  /** Of the first block in the file; null when it is not within the bytes. */
  readonly firstSeconds: number | null
}

const [SEGMENT, INFO, TIMESTAMP_SCALE, TRACKS, TRACK_ENTRY, TRACK_NUMBER, DEFAULT_DURATION] = [
  0x18538067, 0x1549a966, 0x2ad7b1, 0x1654ae6b, 0xae, 0xd7, 0x23e383,
]
const [CLUSTER, CLUSTER_TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, BLOCK] = [
  0x1f43b675, 0xe7, 0xa3, 0xa0, 0xa1,
]
const NANOSECONDS = 1_000_000_000
const USUAL_SCALE_NS = 1_000_000

/** The element whose header is at `offset`; null where there is none, or its header is cut. */
export function elementAt(bytes: Uint8Array, offset: number): Element | null {
  const idLength = Math.clz32(bytes[offset] ?? 0) - 24 + 1
  const sizeAt = offset + idLength
  const first = bytes[sizeAt]
  if (first === undefined || idLength > 4) return null
  const length = Math.clz32(first) - 24 + 1
  if (length > 8 || sizeAt + length > bytes.byteLength) return null
  const size =
    (first & (0xff >> length)) * 256 ** (length - 1) + numberIn(bytes, sizeAt + 1, sizeAt + length)
  const bodyStart = sizeAt + length
  return {
    id: numberIn(bytes, offset, sizeAt),
    bodyStart,
    end: size >= 2 ** (7 * length) - 1 ? null : bodyStart + size,
  }
}

/** Reads `head`, the first bytes of the file; null when they are no segment. */
export function readSegmentStart(head: Uint8Array): SegmentStart | null {
  const header = elementAt(head, 0)
  const segment = header === null || header.end === null ? null : elementAt(head, header.end)
  if (segment === null || segment.id !== SEGMENT) return null
  const pictureSeconds = new Map<number, number>()
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
    if (child.id === CLUSTER) {
      const first = firstBlockOf(head, child)
      return {
        pictureSeconds,
        firstSeconds: first === null ? null : (first * scaleNs) / NANOSECONDS,
      }
    }
  }
  return { pictureSeconds, firstSeconds: null }
}

/** Elements one after another, as far as the bytes go. */
function* childrenOf(bytes: Uint8Array, parent: Element): Generator<Element> {
  const end = Math.min(bytes.byteLength, parent.end ?? Infinity)
  for (let at = parent.bodyStart; at < end;) {
    const child = elementAt(bytes, at)
    if (child === null) return
    yield child
    if (child.end === null) return
    at = child.end
  }
}

function valueOf(bytes: Uint8Array, parent: Element, id: number): number | null {
  for (const child of childrenOf(bytes, parent))
    if (child.id === id && child.end !== null && child.end <= bytes.byteLength)
      return numberIn(bytes, child.bodyStart, child.end)
  return null
}

/**
 * In the segment's ticks. A block's own time is a signed number of 16 bits after its track's number
 * (§10.1).
 */
function firstBlockOf(bytes: Uint8Array, cluster: Element): number | null {
  let clusterTicks: number | null = null
  for (const child of childrenOf(bytes, cluster)) {
    if (child.id === CLUSTER_TIMESTAMP && child.end !== null)
      clusterTicks = numberIn(bytes, child.bodyStart, child.end)
    const block =
      child.id === BLOCK_GROUP
        ? Array.from(childrenOf(bytes, child)).find(({ id }) => id === BLOCK)
        : child.id === SIMPLE_BLOCK
          ? child
          : undefined
    if (block === undefined) continue
    const timeAt = block.bodyStart + Math.clz32(bytes[block.bodyStart] ?? 0) - 24 + 1
    if (clusterTicks === null || timeAt + 2 > bytes.byteLength) return null
    return clusterTicks + new DataView(bytes.buffer, bytes.byteOffset + timeAt, 2).getInt16(0)
  }
  return null
}

/** Big-endian and unsigned; exact up to 2^53. */
function numberIn(bytes: Uint8Array, start: number, end: number): number {
  return bytes.subarray(start, end).reduce((value, byte) => value * 256 + byte, 0)
}
