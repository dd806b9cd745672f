import {
  boxesOfType,
  boxesWithin,
  HEADER_BODY_BYTES,
  timeScaleOf,
  trackIdOf,
  type Box,
  type ReadBytes,
} from '#checks/boxes.ts'
import { numberIn } from '#checks/bytes.ts'

/** Side by side, in a file and in a track. */
const MAX_BOXES = 64
const MAX_LIST_BYTES = 20_000
const USUAL_RATE = 0x10000

/** How the edit list of a track plays it (ISO/IEC 14496-12 §8.6.6). */
interface TrackEdits {
  /** When its first entry that shows something begins, in seconds by the clock of the file. */
  readonly startS: number
  /** When the last entry ends, in seconds by the clock of the file; null = with the track. */
  readonly endS: number | null
  /** One piece, at its own speed: then only its beginning and its end differ from the track. */
  readonly isOnePiece: boolean
}

/** What the index of an MP4 or MOV says of times, and the fast reader misses. */
export interface MovieTimes {
  /** Pieces follow it (§8.8). */
  readonly isFragmented: boolean
  /** The first piece stands in the index, the others follow, which the fast reader misses. */
  readonly isMixed: boolean
  /** Of the tracks that have an edit list, by their ids. */
  readonly edits: ReadonlyMap<number, TrackEdits>
}

/**
 * The fast reader follows the beginning of the first entry of an edit list only, so that a video
 * which was trimmed without being written again is as long for it as before, with all that was cut
 * out.
 */
export async function readMovieTimes(read: ReadBytes, sizeBytes: number): Promise<MovieTimes> {
  const index = await inside(read, await boxesWithin(read, 0, sizeBytes, MAX_BOXES), 'moov')
  const isFragmented = index.some(({ type }) => type === 'mvex')
  return {
    isFragmented,
    isMixed: isFragmented && (await hasSamples(read, index)),
    edits: await editListsIn(read, index),
  }
}

async function editListsIn(read: ReadBytes, index: readonly Box[]): Promise<MovieTimes['edits']> {
  const found = new Map<number, TrackEdits>()
  const header = index.find(({ type }) => type === 'mvhd')
  if (header === undefined) return found
  const scale = timeScaleOf(await read(header.bodyStart, header.bodyStart + HEADER_BODY_BYTES))
  for (const { type, bodyStart, end } of index) {
    if (type !== 'trak') continue
    const parts = await boxesWithin(read, bodyStart, end, MAX_BOXES)
    const track = parts.find((part) => part.type === 'tkhd')
    const list = (await inside(read, parts, 'edts')).find((part) => part.type === 'elst')
    if (track === undefined || list === undefined) continue
    const id = trackIdOf(await read(track.bodyStart, track.bodyStart + HEADER_BODY_BYTES))
    const bytes = await read(list.bodyStart, Math.min(list.end, list.bodyStart + MAX_LIST_BYTES))
    const edits = editsIn(bytes, scale)
    if (edits !== null) found.set(id, edits)
  }
  return found
}

/** Whether the index lists samples of a track (`stsz`, §8.7.3). */
async function hasSamples(read: ReadBytes, index: readonly Box[]): Promise<boolean> {
  for (const { type, bodyStart, end } of index) {
    if (type !== 'trak') continue
    const parts = await boxesWithin(read, bodyStart, end, MAX_BOXES)
    const media = await inside(read, await inside(read, parts, 'mdia'), 'minf')
    const sizes = (await inside(read, media, 'stbl')).find((part) => /^st(sz|z2)$/.test(part.type))
    if (sizes === undefined) continue
    const numbers = await read(sizes.bodyStart, sizes.bodyStart + 12)
    if (numberIn(numbers, 8, 12) > 0) return true
  }
  return false
}

const inside = async (
  read: ReadBytes,
  boxes: readonly Box[],
  type: string,
): Promise<readonly Box[]> => await boxesOfType(read, boxes, type, MAX_BOXES)

/** Null of a list without an entry that shows something. */
function editsIn(list: Uint8Array, scale: number): TrackEdits | null {
  const wide = list[0] === 1 ? 8 : 4
  const size = 2 * wide + 4
  let [shown, ticks, startTicks, endTicks] = [0, 0, 0, 0]
  let isUsual = true
  for (let at = 8; at + size <= list.byteLength; at += size) {
    const lasts = numberIn(list, at, at + wide)
    const isEmpty = list.subarray(at + wide, at + 2 * wide).every((byte) => byte === 0xff)
    ticks += lasts
    if (isEmpty) continue
    if (shown === 0) startTicks = ticks - lasts
    shown += 1
    // Of a file in fragments, which is not known when the list is written.
    endTicks = lasts === 0 ? Infinity : ticks
    isUsual &&= numberIn(list, at + 2 * wide, at + size) === USUAL_RATE
  }
  if (shown === 0 || scale === 0) return null
  const endS = Number.isFinite(endTicks) ? endTicks / scale : null
  return { startS: startTicks / scale, endS, isOnePiece: shown === 1 && isUsual }
}
