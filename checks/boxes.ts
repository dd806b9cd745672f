import { joinedBytes, numbers, viewOf } from './bytes.ts'

/** Gives bytes [start, end) of the file; fewer where the file ends. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>

/**
 * A box of an MP4 or MOV file (ISO/IEC 14496-12 §4.2); offsets are those of its bytes' owner: file
 * or parent.
 */
export interface Box {
  readonly type: string
  readonly start: number
  readonly bodyStart: number
  readonly end: number
}

/**
 * The box whose header begins `bytes` (8 bytes, 16 for long ones); `sizeBytes` is where a box
 * without a length ends. Null for anything else.
 */
export function boxAt(bytes: Uint8Array, start: number, sizeBytes: number): Box | null {
  if (bytes.byteLength < 8) return null
  const view = viewOf(bytes)
  const type = String.fromCharCode(...bytes.subarray(4, 8))
  if (!/^[\w ©-]{4}$/.test(type)) return null
  const short = view.getUint32(0)
  if (short === 0) return { type, start, bodyStart: start + 8, end: sizeBytes }
  if (short === 1) {
    if (bytes.byteLength < 16) return null
    const long = Number(view.getBigUint64(8))
    return long < 16 ? null : { type, start, bodyStart: start + 16, end: start + long }
  }
  return short < 8 ? null : { type, start, bodyStart: start + 8, end: start + short }
}

/**
 * The boxes one after another between two offsets, `most` at the most; a few bytes are read of
 * each.
 */
export async function boxesWithin(
  read: ReadBytes,
  start: number,
  end: number,
  most: number,
): Promise<readonly Box[]> {
  const boxes: Box[] = []
  for (let offset = start; offset + 8 <= end && boxes.length < most;) {
    const box = boxAt(await read(offset, offset + 16), offset, end)
    if (box === null) break
    boxes.push(box)
    offset = box.end
  }
  return boxes
}

/** The same within the first of these boxes of a type; none where it is not among them. */
export async function boxesOfType(
  read: ReadBytes,
  boxes: readonly Box[],
  type: string,
  most: number,
): Promise<readonly Box[]> {
  const found = boxes.find((each) => each.type === type)
  return found === undefined ? [] : await boxesWithin(read, found.bodyStart, found.end, most)
}

/** The boxes between two offsets of bytes that were read; one that is cut off is the last. */
export function* boxesIn(
  bytes: Uint8Array,
  start: number,
  end: number,
  most = Infinity,
): Generator<Box> {
  for (let offset = start, count = 0; offset + 8 <= end && count < most; count += 1) {
    const box = boxAt(bytes.subarray(offset, offset + 16), offset, end)
    if (box === null) return
    yield box
    offset = box.end
  }
}

/** The bytes of `mvhd`, `mdhd` and `tkhd` behind their headers that the next two functions need. */
export const HEADER_BODY_BYTES = 24

/** Ticks a second, by the body of `mvhd` or `mdhd`; 0 where it is cut off. */
export function timeScaleOf(body: Uint8Array): number {
  return numberBehindTimes(body)
}

/** By the body of `tkhd`; 0 where it is cut off. */
export function trackIdOf(body: Uint8Array): number {
  return numberBehindTimes(body)
}

/** Two times stand before it, of eight bytes each in version 1 and of four in others. */
function numberBehindTimes(body: Uint8Array): number {
  const at = body[0] === 1 ? 20 : 12
  return body.byteLength < at + 4 ? 0 : viewOf(body).getUint32(at)
}

/** A box with these parts as its body. */
export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = joinedBytes(parts)
  return joinedBytes([
    numbers([body.byteLength + 8]),
    Uint8Array.from(type, (letter) => letter.charCodeAt(0)),
    body,
  ])
}
