/**
 * Reads the boxes of a track of an MP4 or MOV: when it begins, and what its tables say. They have a
 * meaning only where all of them are as they are expected.
 */
import { boxesIn, type Box } from '#checks/boxes.ts'
import {
  at,
  chunksIn,
  clockIn,
  entriesIn,
  groupsIn,
  keysIn,
  MOST_SAMPLES,
  offsetsIn,
  sizesIn,
  type KeyGroups,
  type SampleTables,
} from './sample-tables.ts'

/** In any box that is looked into. */
const MOST_BOXES = 256

/**
 * What is shown of a track begins at `mediaStart`, in its ticks, `waitS` seconds after the
 * beginning, and is shown for `lengthS` seconds, or until its end (null).
 */
export interface TrackEdit {
  readonly mediaStart: number
  readonly waitS: number
  readonly lengthS: number | null
}

/** Bodies of boxes by their path; null where one is not there, or its surroundings are broken. */
export function finder(
  bytes: Uint8Array,
  track: Box | undefined,
): (...path: readonly string[]) => Uint8Array | null {
  return (...path) => {
    let box = track
    for (const type of path)
      box = box === undefined ? box : insideOf(bytes, box)?.find((each) => each.type === type)
    return box === undefined ? null : bodyOf(bytes, box)
  }
}

/** The boxes in another one; null where they do not fill it, or are absurdly many. */
export function insideOf(bytes: Uint8Array, { bodyStart, end }: Box): readonly Box[] | null {
  const boxes: Box[] = []
  for (const box of boxesIn(bytes, bodyStart, end)) {
    if (box.end > end || boxes.length === MOST_BOXES) return null
    boxes.push(box)
  }
  const rest = bytes.subarray(boxes.at(-1)?.end ?? bodyStart, end)
  // QuickTime may end a row of boxes with zeros.
  return rest.byteLength <= 8 && rest.every((byte) => byte === 0) ? boxes : null
}

export function bodyOf(bytes: Uint8Array, { bodyStart, end }: Box): Uint8Array {
  return bytes.subarray(bodyStart, end)
}

export function partsOf(body: Uint8Array | null): readonly Part[] {
  if (body === null) return []
  const whole = { type: '', start: 0, bodyStart: 0, end: body.byteLength }
  return (insideOf(body, whole) ?? []).map(({ type, start, bodyStart, end }) => ({
    type,
    bytes: body.subarray(start, end),
    body: body.subarray(bodyStart, end),
  }))
}

/** By `hdlr`; null where it is broken. */
export function kindOf(handler: Uint8Array | null): 'picture' | 'sound' | 'other' | null {
  return handler === null || handler.byteLength < 12
    ? null
    : (KINDS[textOf(handler.subarray(8, 12))] ?? 'other')
}

const KINDS: Readonly<Record<string, 'picture' | 'sound'>> = { vide: 'picture', soun: 'sound' }

/** One edit at the usual speed, and before it one that shows nothing. */
export function editIn(list: Uint8Array | null, movieScale: number): TrackEdit | null | 'unusual' {
  if (list === null) return null
  const isLong = list[0] === 1
  const entries = entriesIn(list, 4, isLong ? 20 : 12)
  if (entries === null || entries.count > 2) return 'unusual'
  const { view, count } = entries
  const read = (entry: number) => {
    const from = entry * (isLong ? 20 : 12)
    return isLong
      ? {
          duration: Number(view.getBigUint64(from)),
          time: Number(view.getBigInt64(from + 8)),
          rate: view.getUint32(from + 16),
        }
      : {
          duration: view.getUint32(from),
          time: view.getInt32(from + 4),
          rate: view.getUint32(from + 8),
        }
  }
  if (count === 0) return null
  const shown = read(count - 1)
  const empty = count === 2 ? read(0) : null
  if (shown.time < 0 || shown.rate !== 0x10000 || (empty !== null && empty.time !== -1))
    return 'unusual'
  const lengthS = shown.duration === 0 ? null : shown.duration / movieScale
  return { mediaStart: shown.time, waitS: (empty?.duration ?? 0) / movieScale, lengthS }
}

export interface Part {
  readonly type: string
  readonly bytes: Uint8Array
  readonly body: Uint8Array
}

/** What `stbl` says; null where something is missing, or the tables do not fit each other. */
export function tablesIn(parts: readonly Part[]): SampleTables | null {
  const find = (type: string) => parts.find((part) => part.type === type)?.body
  const [ticks, later, perChunk] = [find('stts'), find('ctts'), find('stsc')]
  const [long, compact] = [find('co64'), find('stz2')]
  const [places, ofSizes] = [long ?? find('stco'), compact ?? find('stsz')]
  if (!ticks || !perChunk || !places || !ofSizes) return null
  const sized = sizesIn(ofSizes, compact !== undefined)
  const clock = clockIn(ticks)
  if (sized === null || sized.count === 0 || clock?.firsts.at(-1) !== sized.count) return null
  const { sizes, count } = sized
  const offsets = later === undefined ? null : offsetsIn(later)
  if (later !== undefined && offsets?.firsts.at(-1) !== count) return null
  const chunks = chunksIn(perChunk, places, long !== undefined, count)
  const keys = allKeys(parts, count)
  const openKeys = openKeysIn(parts)
  if (chunks === null || keys === 'unusual' || openKeys === 'unusual') return null
  return { count, clock, offsets, keys, sizes, chunks, openKeys }
}

/** What `stss`, `stps` and the sample group `rap ` number; null where all samples are keys. */
function allKeys(parts: readonly Part[], count: number): Uint32Array | null | 'unusual' {
  const lists: (Uint32Array | null)[] = parts
    .filter(({ type }) => type === 'stss' || type === 'stps')
    .map(({ body }) => keysIn(body))
  const places = parts.find((part) => isOfGroup(part, 'sbgp', 'rap '))
  if (places !== undefined) lists.push(samplesInGroups(places.body, count))
  if (lists.length === 0) return null
  const all = new Uint32Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0))
  let filled = 0
  for (const list of lists) {
    if (list === null || list.length > count) return 'unusual'
    all.set(list, filled)
    filled += list.length
  }
  all.sort()
  const keys = all.filter((key, place) => key !== all[place - 1])
  return (keys.at(-1) ?? 0) < count ? keys : 'unusual'
}

function samplesInGroups(body: Uint8Array, count: number): Uint32Array | null {
  const found = groupsIn(body)
  if (found === null || (found.firsts.at(-1) ?? 0) > Math.min(count, MOST_SAMPLES)) return null
  const samples = new Uint32Array(found.firsts.at(-1) ?? 0)
  let filled = 0
  for (const [run, group] of found.groups.entries())
    if (group > 0)
      for (let sample = at(found.firsts, run); sample < at(found.firsts, run + 1); sample += 1) {
        samples[filled] = sample
        filled += 1
      }
  return samples.subarray(0, filled)
}

function isOfGroup({ type, body }: Part, box: string, group: string): boolean {
  return type === box && textOf(body.subarray(4, 8)) === group
}

/** Phones say of HEVC which keys begin open groups; ffmpeg begins one earlier than at those. */
function openKeysIn(parts: readonly Part[]): KeyGroups | null | 'unusual' {
  const described = parts.find((part) => isOfGroup(part, 'sgpd', 'sync'))
  const places = parts.find((part) => isOfGroup(part, 'sbgp', 'sync'))
  if (described === undefined || places === undefined) return null
  const found = groupsIn(places.body)
  if (found === null) return 'unusual'
  const { countAt, ...runs } = found
  return { ...runs, described: described.bytes, kind: places.body.subarray(0, countAt) }
}

export function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
