/** Where a movie's index is: here whole, not stored yet, or nothing that tells a length before the file is whole. */
export type MovieIndex = 'here' | 'not-yet' | 'none'

/** A file of which only parts are stored. Offsets in bytes, `end` excluded. */
export interface PartialFile {
  readonly sizeBytes: number
  isStored(start: number, end: number): boolean
  read(start: number, length: number): Promise<Uint8Array>
}

interface Box { readonly type: string; readonly bodyAt: number; readonly end: number }

/** More boxes than this side by side are no movie that anybody made. */
const MAX_BOXES = 256

/**
 * Looks for the index (`moov`) of an MP4 or MOV by the headers of its boxes (ISO/IEC 14496-12, 4.2), reading stored bytes
 * only. A fragmented movie (`mvex`) has its length all over the file, so its index alone is none.
 */
export async function findMovieIndex(file: PartialFile): Promise<MovieIndex> {
  const top = await walk(file, 0, file.sizeBytes, 'moov')
  if (top === 'not-yet' || top === 'none') return top
  if (!file.isStored(top.bodyAt, top.end)) return 'not-yet'
  return (await walk(file, top.bodyAt, top.end, 'mvex')) === 'none' ? 'here' : 'none'
}

/** The first box of a type between two offsets. */
async function walk(file: PartialFile, from: number, to: number, type: string): Promise<Box | 'not-yet' | 'none'> {
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

const FIRST_BOXES: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid'])

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
