import type { EarlyLength, PartialFile } from './partial-file.ts'

/** Element ids (RFC 9559, read 2026-11-21). */
const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const DURATION = 0x4489
const CLUSTER = 0x1f43b675

/** No real video has more elements than this before the first cluster. */
const MAX_ELEMENTS = 64

interface Element {
  readonly id: number
  readonly bodyAt: number
  readonly end: number
}

/**
 * Whether the head of a Matroska or WebM file says how long it is (`Info/Duration`, before the
 * first cluster). Recordings that a browser or a crashed program made do not, and are measured when
 * they are whole.
 */
export async function findMatroskaLength(file: PartialFile): Promise<EarlyLength> {
  const header = await elementAt(file, 0, file.sizeBytes)
  if (header === 'not-yet') return 'not-yet'
  if (header?.id !== EBML) return 'none'
  const segment = await elementAt(file, header.end, file.sizeBytes)
  if (segment === 'not-yet') return 'not-yet'
  if (segment?.id !== SEGMENT) return 'none'
  const info = await findElement(file, segment, INFO)
  return typeof info === 'string'
    ? info
    : await findElement(file, info, DURATION).then((found) =>
        typeof found === 'string'
          ? found
          : file.isStored(found.bodyAt, found.end)
            ? 'here'
            : 'not-yet',
      )
}

async function findElement(
  file: PartialFile,
  parent: Element,
  id: number,
): Promise<Element | 'not-yet' | 'none'> {
  for (let at = parent.bodyAt, count = 0; at < parent.end && count < MAX_ELEMENTS; count += 1) {
    const element = await elementAt(file, at, parent.end)
    if (element === 'not-yet') return element
    if (element === null || element.id === CLUSTER) return 'none'
    if (element.id === id) return element
    at = element.end
  }
  return 'none'
}

/**
 * The element that begins at an offset; null for what is none. An unknown size reaches to the
 * parent's end.
 */
async function elementAt(
  file: PartialFile,
  at: number,
  to: number,
): Promise<Element | 'not-yet' | null> {
  const length = Math.min(12, to - at)
  if (length < 2) return null
  if (!file.isStored(at, at + length)) return 'not-yet'
  const bytes = await file.read(at, length)
  const id = readVint(bytes, 0, true)
  const size = id === null || id.bytes > 4 ? null : readVint(bytes, id.bytes, false)
  if (id === null || size === null) return null
  const bodyAt = at + id.bytes + size.bytes
  const end = size.isUnknown ? to : bodyAt + size.value
  return end > to ? null : { id: id.value, bodyAt, end }
}

/**
 * A number of 1 to 8 bytes whose leading zeros say how many (RFC 8794, 4); ids keep their marker.
 */
function readVint(
  bytes: Uint8Array,
  from: number,
  keepsMarker: boolean,
): { readonly value: number; readonly bytes: number; readonly isUnknown: boolean } | null {
  const first = bytes[from]
  if (first === undefined || first === 0) return null
  const count = Math.clz32(first) - 23
  if (from + count > bytes.length) return null
  const marker = 0x80 >> (count - 1)
  let value = keepsMarker ? first : first - marker
  let isUnknown = first - marker === marker - 1
  for (const byte of bytes.subarray(from + 1, from + count)) {
    value = value * 256 + byte
    isUnknown = isUnknown && byte === 0xff
  }
  return { value, bytes: count, isUnknown }
}
