import { box, boxesIn, type Box } from '#checks/boxes.ts'

/**
 * The index (`moov`) of an MP4 with more boxes at the end of each description of its picture. What
 * stands behind the index moves back by as much as it grows, so the places of those samples are
 * written again (ISO/IEC 14496-12 §8.7.5); where one then needs more than 32 bits, all tables get
 * 64.
 * @param index whole, with its header
 * @param indexEnd where it ends in its file
 */
export function withIndexChanged(
  index: Uint8Array,
  indexEnd: number,
  added: Uint8Array,
): Uint8Array {
  const [moov] = boxesIn(index, 0, index.byteLength)
  if (moov === undefined || !hasPicture(index, moov))
    throw new Error('A finished video has no picture')
  const change = { index, added, indexEnd, movedBy: 0, isLong: false }
  const short = rewritten(change, moov)
  const movedBy = short.byteLength - index.byteLength
  if (largestPlace(index, moov) + movedBy < 2 ** 32) return rewritten({ ...change, movedBy }, moov)
  const long = rewritten({ ...change, isLong: true }, moov)
  return rewritten({ ...change, isLong: true, movedBy: long.byteLength - index.byteLength }, moov)
}

interface Change {
  readonly index: Uint8Array
  readonly added: Uint8Array
  readonly indexEnd: number
  readonly movedBy: number
  readonly isLong: boolean
}

/** Boxes between the index and its tables. */
const PATH: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

function rewritten(change: Change, part: Box): Uint8Array {
  const { index } = change
  if (PATH.has(part.type)) {
    const parts = Array.from(boxesIn(index, part.bodyStart, part.end))
    const isSound = part.type === 'trak' && !hasPicture(index, part)
    const inside = isSound ? { ...change, added: new Uint8Array() } : change
    return box(part.type, ...parts.map((each) => rewritten(inside, each)))
  }
  if (part.type === 'stsd') return describedAnew(change, part)
  const places = placesIn(index, part)
  return places === null ? index.subarray(part.start, part.end) : placedAnew(change, places)
}

/** Version, flags and count stand before the entries. */
const ENTRIES_AT = 8

function describedAnew({ index, added }: Change, table: Box): Uint8Array {
  const entries = Array.from(boxesIn(index, table.bodyStart + ENTRIES_AT, table.end))
  return box(
    'stsd',
    index.subarray(table.bodyStart, table.bodyStart + ENTRIES_AT),
    ...entries.map(({ type, bodyStart, end }) => box(type, index.subarray(bodyStart, end), added)),
  )
}

function placedAnew({ indexEnd, movedBy, isLong }: Change, places: readonly number[]): Uint8Array {
  const isWide = isLong || places.some((place) => place >= 2 ** 32)
  const width = isWide ? 8 : 4
  const body = new DataView(new ArrayBuffer(ENTRIES_AT + places.length * width))
  body.setUint32(4, places.length)
  for (const [at, place] of places.entries()) {
    const moved = place >= indexEnd ? place + movedBy : place
    if (isWide) body.setBigUint64(ENTRIES_AT + at * width, BigInt(moved))
    else body.setUint32(ENTRIES_AT + at * width, moved)
  }
  return box(isWide ? 'co64' : 'stco', new Uint8Array(body.buffer))
}

/** Where the chunks of a track are in the file; null of a box that does not say it. */
function placesIn(index: Uint8Array, { type, bodyStart, end }: Box): readonly number[] | null {
  const width = { stco: 4, co64: 8 }[type]
  if (width === undefined) return null
  const view = new DataView(index.buffer, index.byteOffset + bodyStart, end - bodyStart)
  return Array.from({ length: view.getUint32(4) }, (_, at) =>
    width === 8
      ? Number(view.getBigUint64(ENTRIES_AT + at * width))
      : view.getUint32(ENTRIES_AT + at * width),
  )
}

function largestPlace(index: Uint8Array, part: Box): number {
  const own = placesIn(index, part)
  if (own !== null) return own.reduce((largest, place) => Math.max(largest, place), 0)
  return PATH.has(part.type)
    ? Array.from(boxesIn(index, part.bodyStart, part.end)).reduce(
        (largest, each) => Math.max(largest, largestPlace(index, each)),
        0,
      )
    : 0
}

/** Whether a track of pictures is among these boxes, by what handles it (`vide`). */
function hasPicture(index: Uint8Array, part: Box): boolean {
  if (part.type === 'hdlr')
    return (
      String.fromCharCode(...index.subarray(part.bodyStart + 8, part.bodyStart + 12)) === 'vide'
    )
  return (
    PATH.has(part.type) &&
    Array.from(boxesIn(index, part.bodyStart, part.end)).some((each) => hasPicture(index, each))
  )
}
