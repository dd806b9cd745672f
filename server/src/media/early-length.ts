import { findMatroskaLength } from './matroska-head.ts'
import type { EarlyLength, PartialFile } from './partial-file.ts'

interface Box {
  readonly type: string
  readonly bodyAt: number
  readonly end: number
}

/** No real movie has more boxes than this side by side. */
const MAX_BOXES = 256

/**
 * Looks by the headers of its boxes or elements whether an MP4, MOV, MKV or WebM can be measured
 * already; other files never. Reads stored bytes only.
 */
export async function findEarlyLength(file: PartialFile): Promise<EarlyLength> {
  const index = await findMovieIndex(file)
  return index === 'none' ? findMatroskaLength(file) : index
}

/**
 * Looks for the index (`moov`) of an MP4 or MOV by the headers of its boxes (ISO/IEC 14496-12,
 * 4.2). A fragmented movie (`mvex`) has its length all over the file, so its index alone does not
 * give it.
 */
async function findMovieIndex(file: PartialFile): Promise<EarlyLength> {
  const top = await walk(file, 0, file.sizeBytes, 'moov')
  if (top === 'not-yet' || top === 'none') return top
  if (!file.isStored(top.bodyAt, top.end)) return 'not-yet'
  return (await walk(file, top.bodyAt, top.end, 'mvex')) === 'none' ? 'here' : 'none'
}

/** The first box of a type between two offsets. */
async function walk(
  file: PartialFile,
  from: number,
  to: number,
  type: string,
): Promise<Box | 'not-yet' | 'none'> {
  for (let at = from, count = 0; at + 8 <= to; count += 1) {
    if (count === MAX_BOXES) return 'none'
    if (!file.isStored(at, Math.min(at + 16, to))) return 'not-yet'
    const box = readHeader(await file.read(at, Math.min(16, to - at)), at, to)
    if (box === null || box.end > to || (at === 0 && !FIRST_BOXES.has(box.type))) return 'none'
    if (box.type === type) return box
    at = box.end
  }
  return 'none'
}

const FIRST_BOXES: ReadonlySet<string> = new Set([
  'ftyp',
  'moov',
  'mdat',
  'wide',
  'free',
  'skip',
  'pnot',
  'uuid',
])

/** Size 0 reaches to the end, size 1 is followed by eight bytes of size. */
function readHeader(bytes: Uint8Array, at: number, to: number): Box | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 8) return null
  const type = String.fromCharCode(...bytes.subarray(4, 8))
  const short = view.getUint32(0)
  if (short === 1 && view.byteLength < 16) return null
  const headerBytes = short === 1 ? 16 : 8
  const sizeBytes = short === 0 ? to - at : short === 1 ? Number(view.getBigUint64(8)) : short
  return sizeBytes < headerBytes ? null : { type, bodyAt: at + headerBytes, end: at + sizeBytes }
}
