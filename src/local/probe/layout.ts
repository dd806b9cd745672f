import { boxAt, type Box, type ReadBytes } from './boxes.ts'
import type { SourceLayout } from '#recipes/source-facts.ts'

/** Fragmented files have a box for every few seconds; after so many the rest is taken on trust. */
const MAX_BOXES = 64
/** A longer index is not searched for encryption marks. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024

/**
 * Walks over the top boxes of an MP4 or MOV file (ISO/IEC 14496-12 §4.2): a file that was cut off looks perfect to demuxers when
 * its index is in front, but its last box ends behind the end of the file. A handful of 16-byte reads, whatever the size.
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
    isEncrypted: index !== undefined && index.end <= sizeBytes && index.end - index.start <= MAX_INDEX_BYTES && hasEncryptedTrack(await read(index.bodyStart, index.end)),
    missingShare: declared > sizeBytes ? (declared - sizeBytes) / declared : 0,
  }
}

/** Reads the length that a Matroska or WebM segment claims to have (RFC 9559 §5); unknown lengths of live recordings are fine. */
export async function walkSegment(read: ReadBytes, sizeBytes: number): Promise<SourceLayout> {
  const head = await read(0, 256)
  const header = elementAt(head, 0)
  const segment = header === null || header.sizeBytes === null ? null : elementAt(head, header.bodyStart + header.sizeBytes)
  const declared = segment === null || segment.sizeBytes === null ? null : segment.bodyStart + segment.sizeBytes
  return {
    hasIndex: null, hasPayload: true, isFragmented: false, isEncrypted: false,
    missingShare: declared === null ? null : declared > sizeBytes ? (declared - sizeBytes) / declared : 0,
  }
}

/** Boxes on the way to the sample descriptions; `stsd` has 8 bytes before its entries. */
const PATH: Readonly<Record<string, number>> = { trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 }

function hasEncryptedTrack(bytes: Uint8Array): boolean {
  for (let offset = 0; offset + 8 <= bytes.byteLength;) {
    const box = boxAt(bytes.subarray(offset, offset + 16), offset, bytes.byteLength)
    if (box === null) return false
    if (box.type === 'encv' || box.type === 'enca') return true
    const skip = PATH[box.type]
    if (skip !== undefined && hasEncryptedTrack(bytes.subarray(box.bodyStart + skip, box.end))) return true
    offset = box.end
  }
  return false
}

interface Element { readonly bodyStart: number; readonly sizeBytes: number | null }

/** An EBML element (RFC 8794 §4, §5): variable-length id, variable-length size; all ones = unknown. */
function elementAt(bytes: Uint8Array, offset: number): Element | null {
  const idLength = Math.clz32(bytes[offset] ?? 0) - 24 + 1
  const sizeAt = offset + idLength
  const first = bytes[sizeAt]
  if (first === undefined || idLength > 4) return null
  const length = Math.clz32(first) - 24 + 1
  if (length > 8 || sizeAt + length > bytes.byteLength) return null
  let value = BigInt(first & (0xff >> length))
  for (let index = 1; index < length; index += 1) value = (value << 8n) | BigInt(bytes[sizeAt + index] ?? 0)
  return { bodyStart: sizeAt + length, sizeBytes: value === (1n << BigInt(7 * length)) - 1n ? null : Number(value) }
}
