import { boxAt, type Box, type ReadBytes } from '#checks/boxes.ts'
import { elementAt } from '#checks/ebml.ts'
import type { SourceLayout } from '#checks/facts.ts'

/** Fragmented files have a box for every few seconds; after so many the rest is taken on trust. */
const MAX_BOXES = 64
/**
 * How much is read at a time of an index: the descriptions of a track fit in, its tables are
 * stepped over.
 */
const WINDOW_BYTES = 64 * 1024
/** More has no index of a video; what is behind it is taken on trust. */
const MAX_WINDOWS = 64

/**
 * Walks over the top boxes of an MP4 or MOV file (ISO/IEC 14496-12 §4.2): a file that was cut off
 * looks perfect to demuxers when its index is in front, but its last box ends behind the end of the
 * file. A handful of 16-byte reads, whatever the size.
 */
export async function walkBoxes(read: ReadBytes, sizeBytes: number): Promise<SourceLayout> {
  const boxes: Box[] = []
  for (let offset = 0; offset + 8 <= sizeBytes && boxes.length < MAX_BOXES;) {
    const box = boxAt(await read(offset, offset + 16), offset, sizeBytes)
    if (box === null) break
    boxes.push(box)
    offset = box.end
  }
  const index = boxes.find((box) => box.type === 'moov')
  const declared = boxes.at(-1)?.end ?? 0
  return {
    hasIndex: index !== undefined,
    hasPayload: boxes.some((box) => box.type === 'mdat'),
    isFragmented: boxes.some((box) => box.type === 'moof'),
    isEncrypted:
      index !== undefined &&
      index.end <= sizeBytes &&
      (await hasEncryptedTrack(inWindows(read, index.end), index.bodyStart, index.end)),
    missingShare: declared > sizeBytes ? (declared - sizeBytes) / declared : 0,
  }
}

/**
 * Reads the length that a Matroska or WebM segment claims to have (RFC 9559 §5); unknown lengths of
 * live recordings are fine.
 */
export async function walkSegment(read: ReadBytes, sizeBytes: number): Promise<SourceLayout> {
  const head = await read(0, 256)
  const header = elementAt(head, 0)
  const segment = header === null || header.end === null ? null : elementAt(head, header.end)
  const declared = segment?.end ?? null
  return {
    hasIndex: null,
    hasPayload: true,
    isFragmented: false,
    isEncrypted: false,
    missingShare:
      declared === null ? null : declared > sizeBytes ? (declared - sizeBytes) / declared : 0,
  }
}

/** Boxes on the way to the sample descriptions; `stsd` has 8 bytes before its entries. */
const PATH: Readonly<Record<string, number>> = { trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 }

async function hasEncryptedTrack(read: ReadBytes, start: number, end: number): Promise<boolean> {
  for (let offset = start; offset + 8 <= end;) {
    const box = boxAt(await read(offset, offset + 16), offset, end)
    if (box === null) return false
    if (box.type === 'encv' || box.type === 'enca') return true
    const skip = PATH[box.type]
    if (
      skip !== undefined &&
      (await hasEncryptedTrack(read, box.bodyStart + skip, Math.min(end, box.end)))
    )
      return true
    offset = box.end
  }
  return false
}

/**
 * Serves small reads from larger ones, since a read takes as long for a few bytes. Nothing more
 * after `MAX_WINDOWS` of them.
 */
function inWindows(read: ReadBytes, limit: number): ReadBytes {
  let window: { readonly start: number; readonly bytes: Uint8Array } = {
    start: 0,
    bytes: new Uint8Array(0),
  }
  let left = MAX_WINDOWS
  return async (start, end) => {
    const until = Math.min(end, limit)
    if (start < window.start || until > window.start + window.bytes.byteLength) {
      if (left === 0) return new Uint8Array(0)
      left -= 1
      window = { start, bytes: await read(start, Math.min(limit, start + WINDOW_BYTES)) }
    }
    return window.bytes.subarray(start - window.start, until - window.start)
  }
}
