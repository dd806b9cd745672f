/**
 * The form of sound whose frames say it: AAC of broadcasts (ISO/IEC 13818-7 §1.1.2, ADTS), AC-3 and
 * E-AC-3 (ETSI TS 102 366), and MPEG sound (ISO/IEC 11172-3). Pure.
 */

/**
 * Rate and channels as the frame says them with which `bytes` begin, in no words of this app: equal
 * texts are equal forms. Null where no such frame begins there.
 */
export function soundFormAt(bytes: Uint8Array): string | null {
  const byte = (at: number): number => bytes[at] ?? 0
  if (bytes.byteLength < 8) return null
  if (byte(0) === 0x0b && byte(1) === 0x77) return dolbyForm(byte)
  if (byte(0) !== 0xff) return null
  if ((byte(1) & 0xf6) === 0xf0) return adtsForm(byte)
  const isMpeg = (byte(1) & 0xe0) === 0xe0 && (byte(1) & 6) !== 0 && (byte(2) & 0xf0) !== 0xf0
  // Stereo is stored in one way or another from frame to frame.
  return isMpeg ? `mpeg ${byte(1) & 0x1e} ${byte(2) & 12} ${byte(3) >> 6 === 3}` : null
}

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
