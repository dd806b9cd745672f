/**
 * The few things that only the H.264 bitstream itself says (ITU-T H.264): whether pictures may be
 * interlaced, and what AVCHD camcorders note about place and device. Pure.
 */

/** NAL units of an Annex B stream (§B.1), without start codes. */
export function nalUnits(bytes: Uint8Array): readonly Uint8Array[] {
  const starts: number[] = []
  for (let at = 0; at + 3 <= bytes.length; at += 1)
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1) starts.push(at + 3)
  return starts.map((start, index) =>
    bytes.subarray(start, (starts[index + 1] ?? bytes.length + 3) - 3),
  )
}

/** The first sequence parameter set of an `avcC` record (ISO/IEC 14496-15 §5.3.3.1), or null. */
export function firstParameterSet(avcc: Uint8Array): Uint8Array | null {
  const length = ((avcc[6] ?? 0) << 8) | (avcc[7] ?? 0)
  return avcc[0] !== 1 || ((avcc[5] ?? 0) & 31) === 0 || length === 0
    ? null
    : avcc.subarray(8, 8 + length)
}

/** Whether a NAL unit is a sequence parameter set. */
export function isParameterSet(unit: Uint8Array): boolean {
  return ((unit[0] ?? 0) & 31) === 7
}

/** What a sequence parameter set (§7.3.2.1.1) says of its pictures. */
interface ParameterSet {
  /** Fields are allowed: only then can the video be interlaced, and it need not be. */
  readonly mayBeInterlaced: boolean
  /** Of a picture as it is shown, before it is stretched. */
  readonly rows: number
}

/** Null of what is none, and where it is cut short. */
export function readParameterSet(sps: Uint8Array): ParameterSet | null {
  if (!isParameterSet(sps)) return null
  const bits = bitsOf(withoutEmulation(sps.subarray(1)))
  try {
    const profile = bits.read(8)
    bits.read(16)
    bits.golomb()
    const chroma = HIGH_PROFILES.has(profile) ? readHighProfile(bits) : USUAL_CHROMA
    bits.golomb()
    const orderType = bits.golomb()
    if (orderType === 0) bits.golomb()
    else if (orderType === 1) {
      bits.read(1)
      bits.golomb()
      bits.golomb()
      for (let left = bits.golomb(); left > 0; left -= 1) bits.golomb()
    }
    bits.golomb()
    bits.read(1)
    bits.golomb()
    const unitRows = 16 * (bits.golomb() + 1)
    const mayBeInterlaced = bits.read(1) === 0
    const fields = mayBeInterlaced ? 2 : 1
    bits.read(mayBeInterlaced ? 2 : 1)
    return { mayBeInterlaced, rows: fields * (unitRows - readCrop(bits, chroma)) }
  } catch (thrown) {
    if (thrown instanceof RangeError) return null
    throw thrown
  }
}

/** 4:2:0 */
const USUAL_CHROMA = 1

/** Rows of a field, or of a whole picture, that are not shown. */
function readCrop(bits: Bits, chroma: number): number {
  if (bits.read(1) === 0) return 0
  bits.golomb()
  bits.golomb()
  return (chroma === USUAL_CHROMA ? 2 : 1) * (bits.golomb() + bits.golomb())
}

/** Profiles whose parameter set also says how colour is stored. */
const HIGH_PROFILES: ReadonlySet<number> = new Set([
  100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
])

/** How colour is stored, by `chroma_format_idc`. */
function readHighProfile(bits: Bits): number {
  const chroma = bits.golomb()
  if (chroma === 3) bits.read(1)
  bits.golomb()
  bits.golomb()
  bits.read(1)
  const lists = bits.read(1) === 0 ? 0 : chroma === 3 ? 12 : 8
  for (let list = 0; list < lists; list += 1)
    if (bits.read(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64)
  return chroma
}

function skipScalingList(bits: Bits, size: number): void {
  let [last, next] = [8, 8]
  for (let at = 0; at < size && next !== 0; at += 1) {
    const code = bits.golomb()
    next = (last + (code % 2 === 1 ? (code + 1) / 2 : -code / 2) + 256) % 256
    last = next === 0 ? last : next
  }
}

interface Bits {
  read(count: number): number
  golomb(): number
}

/** Throws a RangeError at the end. */
function bitsOf(bytes: Uint8Array): Bits {
  let at = 0
  const read = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left -= 1, at += 1) {
      const byte = bytes[at >> 3]
      if (byte === undefined) throw new RangeError('the parameter set ends early')
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1)
    }
    return value
  }
  const golomb = (): number => {
    let zeros = 0
    while (read(1) === 0) zeros += 1
    return 2 ** zeros - 1 + read(zeros)
  }
  return { read, golomb }
}

/** Bytes as meant: a 3 after two zeros is only there so that no start code appears (§7.4.1). */
function withoutEmulation(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => !(byte === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0))
}

/**
 * User data of AVCHD camcorders ("MDPM"): its UUID, and the numbers under which a place and a maker
 * are noted, as ExifTool's H264 tags list them (read 2026-11-21).
 */
const CAMCORDER_NOTE = [
  0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a, 0x66,
  0x4d, 0x44, 0x50, 0x4d,
] as const
const LATITUDE = 0xb2
const MAKE = 0xe0
const ENTRY_BYTES = 5

/**
 * What a camcorder noted in one picture of an Annex B stream: each entry is a number and four
 * bytes.
 */
export function camcorderNotes(picture: Uint8Array): {
  readonly hasLocation: boolean
  readonly hasDevice: boolean
} {
  for (const unit of nalUnits(picture)) {
    if (((unit[0] ?? 0) & 31) !== 6) continue
    const bytes = withoutEmulation(unit)
    const start = bytes.findIndex((_, at) =>
      CAMCORDER_NOTE.every((byte, offset) => bytes[at + offset] === byte),
    )
    if (start < 0) continue
    const first = start + CAMCORDER_NOTE.length + 1
    const numbers = Array.from(
      { length: bytes[first - 1] ?? 0 },
      (_, entry) => bytes[first + entry * ENTRY_BYTES],
    )
    return { hasLocation: numbers.includes(LATITUDE), hasDevice: numbers.includes(MAKE) }
  }
  return { hasLocation: false, hasDevice: false }
}
