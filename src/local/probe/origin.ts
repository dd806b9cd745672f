import { boxesIn, boxesWithin, type ReadBytes } from '#checks/boxes.ts'

/**
 * Whether the file says where and with what it was filmed. Only *that* it says so: the words
 * themselves are never kept.
 */
export interface Origin {
  readonly hasLocation: boolean
  readonly hasDevice: boolean
  readonly createdAt: string | null
}

const MAX_TOP_BOXES = 64
const MAX_INDEX_BOXES = 256
/** Notes of a camera are short; cover pictures in them are not searched. */
const MAX_NOTE_BYTES = 1024 * 1024
/** Seconds from 1904 (ISO/IEC 14496-12 §8.2.2) to 1970. */
const EPOCH_1904_S = 2_082_844_800
const LOCATION_BOXES: ReadonlySet<string> = new Set(['©xyz', 'loci'])
const DEVICE_BOXES: ReadonlySet<string> = new Set(['©mak', '©mod', 'manu', 'modl', 'CNMN', 'CNFV'])
const LOCATION_KEY = /com\.apple\.quicktime\.location\.|com\.android\.gps/
const DEVICE_KEY =
  /com\.apple\.quicktime\.(?:make|model)|com\.android\.(?:manufacturer|model|version)/

/**
 * Reads the notes of an MP4 or MOV file: `udta` boxes of cameras and the keys of QuickTime's
 * metadata. Steps over tracks, so a few reads of 16 bytes suffice also for a large index. Null when
 * there is no index to read.
 */
export async function readOrigin(read: ReadBytes, sizeBytes: number): Promise<Origin | null> {
  const index = (await boxesWithin(read, 0, sizeBytes, MAX_TOP_BOXES)).find(
    (box) => box.type === 'moov',
  )
  if (index === undefined || index.end > sizeBytes) return null
  const children = await boxesWithin(read, index.bodyStart, index.end, MAX_INDEX_BOXES)
  let [hasLocation, hasDevice] = [false, false]
  for (const box of children) {
    if (box.type !== 'udta' && box.type !== 'meta') continue
    const bytes = await read(box.bodyStart, Math.min(box.end, box.bodyStart + MAX_NOTE_BYTES))
    const text = latin1(bytes)
    const types =
      box.type === 'udta' ? Array.from(boxesIn(bytes, 0, bytes.byteLength), ({ type }) => type) : []
    hasLocation ||= types.some((type) => LOCATION_BOXES.has(type)) || LOCATION_KEY.test(text)
    hasDevice ||= types.some((type) => DEVICE_BOXES.has(type)) || DEVICE_KEY.test(text)
  }
  const header = children.find((box) => box.type === 'mvhd')
  return {
    hasLocation,
    hasDevice,
    createdAt:
      header === undefined
        ? null
        : creationTime(await read(header.bodyStart, header.bodyStart + 12)),
  }
}

/** Cameras without a clock write 0 or times before there was MP4. */
function creationTime(bytes: Uint8Array): string | null {
  if (bytes.byteLength < 12) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const seconds =
    (view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)) - EPOCH_1904_S
  return seconds <= 0 || seconds > 4_102_444_800 ? null : new Date(seconds * 1_000).toISOString()
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
