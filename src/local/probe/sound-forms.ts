/**
 * The form of sound whose frames say it: AAC of broadcasts (ISO/IEC 13818-7 §1.1.2, ADTS), AC-3 and
 * E-AC-3 (ETSI TS 102 366), DTS (ETSI TS 102 114 §5.4.1), TrueHD, and MPEG sound (ISO/IEC 11172-3).
 * Pure.
 */

import { numberIn } from '#checks/bytes.ts'

/**
 * Rate and channels as the frame says them with which `bytes` begin, in no words of this app: equal
 * texts are equal forms. Null where no such frame begins there.
 */
export function soundFormAt(bytes: Uint8Array): string | null {
  const byte = (at: number): number => bytes[at] ?? 0
  if (bytes.byteLength < 8) return null
  if (byte(0) === 0x0b && byte(1) === 0x77) return dolbyForm(byte)
  const wordAt = (at: number): number => numberIn(bytes, at, at + 4)
  if (wordAt(0) === DTS && bytes.byteLength > 10)
    return `dts ${byte(7) & 15} ${byte(8) >> 2} ${byte(10) & 6}`
  // Only some of its frames say it.
  if (wordAt(4) === TRUE_HD && bytes.byteLength > 11) return `truehd ${wordAt(8)}`
  if (byte(0) !== 0xff) return null
  if ((byte(1) & 0xf6) === 0xf0) return adtsForm(byte)
  const isMpeg = (byte(1) & 0xe0) === 0xe0 && (byte(1) & 6) !== 0 && (byte(2) & 0xf0) !== 0xf0
  // Stereo is stored in one way or another from frame to frame.
  return isMpeg ? `mpeg ${byte(1) & 0x1e} ${byte(2) & 12} ${byte(3) >> 6 === 3}` : null
}

const DTS = 0x7ffe8001
const TRUE_HD = 0xf8726fba

type Byte = (at: number) => number

function adtsForm(byte: Byte): string | null {
  const channels = ((byte(2) & 1) << 2) | (byte(3) >> 6)
  // Described within the frame.
  return channels === 0 ? null : `aac ${byte(2) & 0x3c} ${channels}`
}

/** The form of AC-3 stands behind the size of its frame, that of E-AC-3 in the place of it. */
function dolbyForm(byte: Byte): string | null {
  const version = byte(5) >> 3
  if (version > 16) return null
  // A frame that belongs to another one has its own channels.
  if (version > 10) return byte(2) >> 6 === 1 ? null : `eac3 ${byte(4) >> 6} ${byte(4) & 15}`
  const mode = byte(6) >> 5
  const isThreeInFront = (mode & 1) === 1 && mode !== 1
  const skipped = [isThreeInFront, (mode & 4) !== 0, mode === 2].filter(Boolean).length * 2
  const low = (((byte(6) << 8) | byte(7)) >> (12 - skipped)) & 1
  return `ac3 ${byte(4) >> 6} ${mode} ${low}`
}

/** So many frames at the beginning of packets are no chance. */
const CERTAIN = 3

/** Whether sound has several forms, each of them said by so many frames that it is no chance. */
export function areDifferent(forms: Iterable<string>): boolean {
  const counts = new Map<string, number>()
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1)
  return [...counts.values()].filter((count) => count >= CERTAIN).length > 1
}

/** `SimpleBlock` and `Block` of Matroska (RFC 9559 §5.1.3). */
const BLOCKS: ReadonlySet<number> = new Set([0xa3, 0xa1])
/** Of a frame, what says its form. */
const HEAD_BYTES = 16

/**
 * The forms of the sound of one track, as the blocks say them that begin within `bytes`, from any
 * place of a Matroska file. Blocks of tracks behind the 126th are not looked for.
 */
export function* soundFormsInBlocks(bytes: Uint8Array, track: number): Generator<string> {
  const number = 0x80 | track
  for (let at = 2; at + HEAD_BYTES < bytes.byteLength; at += 1) {
    if (bytes[at] !== number || !isBehindBlock(bytes, at)) continue
    const frame = firstFrame(bytes, at + 3)
    const form = soundFormAt(bytes.subarray(frame, frame + HEAD_BYTES))
    if (form !== null) yield form
  }
}

/** Whether the size of a block, of one to four bytes, and its type stand before this place. */
function isBehindBlock(bytes: Uint8Array, at: number): boolean {
  return [1, 2, 3, 4].some(
    (length) =>
      Math.clz32(bytes[at - length] ?? 0) === 23 + length &&
      BLOCKS.has(bytes[at - length - 1] ?? 0),
  )
}

/** Where the first frame of a block begins; `at` is its flags, which say whether it has several. */
function firstFrame(bytes: Uint8Array, at: number): number {
  const lacing = (bytes[at] ?? 0) & 6
  const others = bytes[at + 1] ?? 0
  if (lacing === 0) return at + 1
  let [place, sizes] = [at + 2, lacing === 4 ? 0 : others]
  for (; sizes > 0 && place < bytes.byteLength; place += 1) {
    // A size is as many bytes of 255 and one more (Xiph), or a number of its own length (EBML).
    const first = bytes[place] ?? 0
    if (lacing === 6) place += Math.min(7, Math.clz32(first) - 24)
    if (lacing === 6 || first < 255) sizes -= 1
  }
  return place
}
