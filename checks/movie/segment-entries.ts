import { joinedBytes } from '#checks/bytes.ts'
import {
  childrenOf,
  element,
  findElement,
  numberElement,
  textOf,
  valueOf,
  type Element,
  type PlacedElement,
} from '#checks/ebml.ts'
import { isDecodableSound } from '#checks/tracks.ts'

/** A track of a Matroska or WebM file. */
export interface SegmentTrack {
  readonly number: number
  readonly kind: 'picture' | 'sound'
  /** Whether it is a sound that edits can use. */
  readonly isDecodableSound: boolean
  /** How much of it is decoded before it is shown (`CodecDelay`). */
  readonly delayS: number
  /** What is said again of it: all but names. */
  readonly described: Uint8Array
}

const [ENTRY, NUMBER, UID, TYPE, CODEC] = [0xae, 0xd7, 0x73c5, 0x83, 0x86]
const [CODEC_DELAY, TIME_SCALE, OPERATION] = [0x56aa, 0x23314f, 0xe2]
const [ENCODINGS, ENCODING, ENCODING_TYPE, ENCRYPTION] = [0x6d80, 0x6240, 0x5033, 1]
const KINDS: Readonly<Record<number, SegmentTrack['kind']>> = { 1: 'picture', 2: 'sound' }
const NANOSECONDS = 1_000_000_000
const MOST_CHILDREN = 256

/** What of a track is said again; all else names it, its writer and its attachments. */
const KEPT: ReadonlySet<number> = new Set(
  [
    [NUMBER, TYPE, CODEC, CODEC_DELAY, ENCODINGS],
    // Flags: enabled, default, forced, lacing, for whom, original, commentary.
    [0xb9, 0x88, 0x55aa, 0x9c, 0x55ab, 0x55ac, 0x55ad, 0x55ae, 0x55af],
    // Caches, lengths, block additions, languages.
    [0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x55ee, 0x41e4, 0x22b59c, 0x22b59d],
    // What the codec needs, what is decoded before a seek, picture and sound.
    [0x63a2, 0xaa, 0x56bb, 0xe0, 0xe1],
  ].flat(),
)

/**
 * What an entry of `Tracks` says; 'other' of what is neither picture nor sound, 'none' where it is
 * no entry.
 */
export function trackIn(
  bytes: Uint8Array,
  entry: PlacedElement,
): SegmentTrack | 'none' | 'other' | 'unusual' {
  if (entry.id !== ENTRY) return 'none'
  const number = valueOf(bytes, entry, NUMBER)
  const kind = KINDS[valueOf(bytes, entry, TYPE) ?? 0]
  if (kind === undefined) return 'other'
  const isUnusual =
    entry.end === null ||
    entry.end > bytes.byteLength ||
    number === null ||
    number === 0 ||
    number >= 2 ** 14 ||
    !hasUsualClock(bytes, entry) ||
    isEncrypted(bytes, entry) ||
    findElement(bytes, entry, OPERATION) !== null
  if (isUnusual) return 'unusual'
  const codec = textOf(bytes, entry, CODEC).replace(/^A_/, '')
  return {
    number,
    kind,
    isDecodableSound: kind === 'sound' && isDecodableSound(codec),
    delayS: (valueOf(bytes, entry, CODEC_DELAY) ?? 0) / NANOSECONDS,
    // Readers need one that is not 0; that of the whole is a mark of its file.
    described: element(ENTRY, numberElement(UID, number), saidAgain(bytes, entry, KEPT)),
  }
}

function hasUsualClock(bytes: Uint8Array, entry: Element): boolean {
  const scale = findElement(bytes, entry, TIME_SCALE)
  if (scale === null) return true
  if (scale.end === null || scale.end > bytes.byteLength) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset + scale.bodyStart)
  const length = scale.end - scale.bodyStart
  return (length === 4 ? view.getFloat32(0) : length === 8 ? view.getFloat64(0) : 0) === 1
}

function isEncrypted(bytes: Uint8Array, entry: Element): boolean {
  const encodings = findElement(bytes, entry, ENCODINGS)
  if (encodings === null) return false
  return Array.from(childrenOf(bytes, encodings, MOST_CHILDREN)).some(
    (each) => each.id === ENCODING && valueOf(bytes, each, ENCODING_TYPE) === ENCRYPTION,
  )
}

/** The elements of these ids within another, whole. */
export function saidAgain(
  bytes: Uint8Array,
  parent: Element,
  ids: ReadonlySet<number>,
): Uint8Array {
  const kept: Uint8Array[] = []
  for (const { id, start, end } of childrenOf(bytes, parent, MOST_CHILDREN))
    if (ids.has(id) && end !== null && end <= (parent.end ?? 0))
      kept.push(bytes.subarray(start, end))
  return joinedBytes(kept)
}
