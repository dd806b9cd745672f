/**
 * Times within an MPEG transport stream (ISO/IEC 13818-1), read from its bytes without taking it
 * apart. Pure.
 */

import { soundFormAt } from './sound-forms.ts'

/** How packets lie in the file: a multiple of `strideBytes` after `startsAt`. */
export interface PacketGrid {
  readonly startsAt: number
  readonly strideBytes: number
}

/** One PES packet (ISO/IEC 13818-1 §2.4.3.6): a picture, or some frames of sound. */
export interface PesPacket {
  readonly seconds: number
  readonly payloadBytes: number
}

/** The packets of each stream by its PID, in the order of the file. The last may be cut. */
export type PesPackets = ReadonlyMap<number, readonly PesPacket[]>

const PACKET_BYTES = 188
const SYNC = 0x47
const CLOCK_HZ = 90_000
/** Timestamps have 33 bits (§2.4.3.7) and start again at 0 after 26 hours. */
const WRAP = 2 ** 33
/** Plain, with error correction, and with a time before each packet (camcorders). */
const GRIDS: readonly PacketGrid[] = [
  { startsAt: 0, strideBytes: 188 },
  { startsAt: 0, strideBytes: 204 },
  { startsAt: 4, strideBytes: 192 },
]

/** Null when `head`, the first bytes of the file, is no transport stream. */
export function gridOf(head: Uint8Array): PacketGrid | null {
  return (
    GRIDS.find(
      ({ startsAt, strideBytes }) =>
        head[startsAt] === SYNC && head[startsAt + strideBytes] === SYNC,
    ) ?? null
  )
}

/**
 * The PES packets that begin within `bytes`, which begin with a packet of the stream. Ends at the
 * first packet of the stream that is none.
 */
export function packetsIn(bytes: Uint8Array, strideBytes: number): PesPackets {
  const packets = new Map<number, { seconds: number; payloadBytes: number }[]>()
  for (const { pid, isFirst, payload, end } of payloadsIn(bytes, strideBytes)) {
    const found = packets.get(pid)
    const ticks = isFirst ? ticksAt(bytes, payload) : null
    if (ticks !== null) {
      if (found === undefined)
        packets.set(pid, [{ seconds: ticks / CLOCK_HZ, payloadBytes: end - payload }])
      else found.push({ seconds: ticks / CLOCK_HZ, payloadBytes: end - payload })
    } else {
      const current = found?.at(-1)
      if (current !== undefined) current.payloadBytes += Math.max(0, end - payload)
    }
  }
  return packets
}

/** What one packet of the stream holds. */
interface Payload {
  readonly pid: number
  /** A PES packet or a table begins with it. */
  readonly isFirst: boolean
  readonly payload: number
  readonly end: number
}

function* payloadsIn(bytes: Uint8Array, strideBytes: number): Generator<Payload> {
  for (let at = 0; at + PACKET_BYTES <= bytes.byteLength && bytes[at] === SYNC; at += strideBytes) {
    const [second = 0, third = 0, control = 0] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]]
    if ((control & 0x10) === 0) continue
    yield {
      pid: ((second & 0x1f) << 8) | third,
      isFirst: (second & 0x40) !== 0,
      payload: at + 4 + ((control & 0x20) === 0 ? 0 : 1 + (bytes[at + 4] ?? 0)),
      end: at + PACKET_BYTES,
    }
  }
}

/**
 * The `stream_id` (§2.4.3.7) of each stream of which a PES packet with a time begins within
 * `bytes`, by its PID; `bytes` begins with a packet of the stream.
 */
export function streamIdsIn(bytes: Uint8Array, strideBytes: number): ReadonlyMap<number, number> {
  const ids = new Map<number, number>()
  for (const { pid, isFirst, payload } of payloadsIn(bytes, strideBytes))
    if (isFirst && ticksAt(bytes, payload) !== null) ids.set(pid, bytes[payload + 3] ?? 0)
  return ids
}

/**
 * The forms of the sound of one stream, as frames say them with which its PES packets begin;
 * `bytes` begins with a packet of the stream.
 */
export function* soundFormsIn(
  bytes: Uint8Array,
  strideBytes: number,
  soundPid: number,
): Generator<string> {
  for (const { pid, isFirst, payload, end } of payloadsIn(bytes, strideBytes)) {
    if (pid !== soundPid || !isFirst || ticksAt(bytes, payload) === null) continue
    const form = soundFormAt(bytes.subarray(payload + 9 + (bytes[payload + 8] ?? 0), end))
    if (form !== null) yield form
  }
}

/** Seconds as they would be without the 33 bits, `near` a time at most half of them away. */
export function unwrapped(seconds: number, near: number): number {
  const lap = WRAP / CLOCK_HZ
  return seconds + Math.round((near - seconds) / lap) * lap
}

/**
 * The time of presentation of the PES packet (§2.4.3.6) that begins at `at`; null where there is
 * none, or it has none.
 */
function ticksAt(bytes: Uint8Array, at: number): number | null {
  const byte = (offset: number): number => bytes[at + offset] ?? 0
  const isElementary = byte(0) === 0 && byte(1) === 0 && byte(2) === 1 && byte(3) >= 0xbd
  if (
    !isElementary ||
    at + 14 > bytes.byteLength ||
    (byte(6) & 0xc0) !== 0x80 ||
    (byte(7) & 0x80) === 0
  )
    return null
  return (
    ((byte(9) >> 1) & 7) * 2 ** 30 +
    (((byte(10) << 8) | byte(11)) >> 1) * 2 ** 15 +
    (((byte(12) << 8) | byte(13)) >> 1)
  )
}
