/**
 * Gathers what the fragments of an MP4 or MOV say of their samples (ISO/IEC 14496-12 §8.8), in the
 * words of the tables that a file without fragments has. They are written while they are read, so
 * that a day of pictures takes as much memory as its tables.
 */
import { boxesIn, type Box } from '#checks/boxes.ts'
import { viewOf } from '#checks/bytes.ts'
import {
  chunkParts,
  decodedAt,
  lastsAt,
  MOST_SAMPLES,
  shownAt,
  type SampleTables,
} from './sample-tables.ts'
import { bodyOf, insideOf } from './track-boxes.ts'
import { createWords, type Words } from './words.ts'

/** The samples of one track, so far. Times are in its ticks. */
export interface Gathered {
  readonly kind: 'picture' | 'sound' | 'other'
  /** What samples have whose fragment does not say it (`trex`). */
  readonly usual: Usual
  /** Runs of samples and how long each lasts; that of the last sample is not there yet. */
  readonly ticks: Words
  /** Runs of samples and how much later each is shown. */
  readonly later: Words
  readonly sizes: Words
  readonly keys: Words
  /** As `stsc` has it. */
  readonly perChunk: Words
  /** Of 64 bits each. */
  readonly places: Words
  count: number
  chunks: number
  /** When the first and the last sample are decoded. */
  first: number
  last: number
  /** When the last one ends, by the clock of decoding. */
  end: number
  /** When anything is shown, counted from `first`. */
  earliest: number
  latest: number
  /** By how much pictures are shown earlier than they are decoded, at the most. */
  early: number
  /** The file ended before the media did. */
  isCutOff: boolean
}

export interface Usual {
  readonly lasts: number
  readonly size: number
  readonly flags: number
}

export function createGathered(kind: Gathered['kind'], usual: Usual): Gathered {
  return {
    kind,
    usual,
    ticks: createWords(),
    later: createWords(),
    sizes: createWords(),
    keys: createWords(),
    perChunk: createWords(),
    places: createWords(),
    count: 0,
    chunks: 0,
    first: 0,
    last: 0,
    end: 0,
    earliest: Infinity,
    latest: -Infinity,
    early: 0,
    isCutOff: false,
  }
}

interface Sample {
  readonly decoded: number
  readonly lasts: number
  readonly later: number
  readonly isKey: boolean
  readonly size: number
}

/** Longer ones, and steps back, no table can say. */
const LONGEST_STEP = 2 ** 31

/** False where it is not decoded behind the sample before it. */
function addSample(found: Gathered, { decoded, lasts, later, isKey, size }: Sample): boolean {
  if (found.count === 0) found.first = decoded
  else {
    const step = decoded - found.last
    if (step <= 0 || step >= LONGEST_STEP) return false
    found.ticks.addToRun(step)
  }
  found.count += 1
  found.last = decoded
  found.end = decoded + lasts
  const shown = decoded - found.first + later
  found.earliest = Math.min(found.earliest, shown)
  found.latest = Math.max(found.latest, shown + lasts)
  found.early = Math.max(found.early, -later)
  found.later.addToRun(later)
  found.sizes.add(size)
  if (isKey) found.keys.add(found.count)
  return true
}

function addChunk(found: Gathered, place: number, samples: number): void {
  found.chunks += 1
  found.places.add(Math.floor(place / 2 ** 32))
  found.places.add(place % 2 ** 32)
  if (found.perChunk.at(-2) === samples) return
  found.perChunk.add(found.chunks)
  found.perChunk.add(samples)
  found.perChunk.add(1)
}

/** What a track has before its fragments: with some writers, what is in the first one. */
const MOST_STORED = 2 ** 17

/** Begins with what the tables of the track itself say; false where that is absurd. */
export function addStored(found: Gathered, tables: SampleTables): boolean {
  const { clock, keys, sizes, count } = tables
  if (count > MOST_STORED) return false
  const areKeys = keys === null ? null : new Set(keys)
  let sample = 0
  for (const { place, samples } of chunkParts(tables, [{ start: 0, end: count }])) {
    for (const end = sample + samples; sample < end; sample += 1) {
      const decoded = decodedAt(clock, sample)
      const added = addSample(found, {
        decoded,
        lasts: lastsAt(clock, sample),
        later: shownAt(tables, sample) - decoded,
        isKey: areKeys?.has(sample) ?? true,
        size: sizes.of(sample),
      })
      if (!added) return false
    }
    addChunk(found, place, samples)
  }
  return true
}

interface FragmentPlace {
  /** Where `moof` begins in the file. */
  readonly moofAt: number
  /** Of the file. */
  readonly sizeBytes: number
  /** An index (`sidx`) stands before it. */
  readonly hasIndex: boolean
}

/**
 * Adds the samples of one fragment. False where it says something that is not understood: then
 * nothing that was gathered is of use.
 * @param bytes the box `moof`, whole
 */
export function addFragment(
  tracks: ReadonlyMap<number, Gathered>,
  bytes: Uint8Array,
  { moofAt, sizeBytes, hasIndex }: FragmentPlace,
): boolean {
  const [moof] = boxesIn(bytes, 0, bytes.byteLength)
  const parts = moof === undefined ? null : insideOf(bytes, moof)
  if (moof?.bodyStart !== 8 || parts === null) return false
  // Where the media of a track follow, if nothing else is said.
  let behind = moofAt
  for (const part of parts.filter(({ type }) => type === 'traf')) {
    const inside = insideOf(bytes, part)
    const header = inside?.find(({ type }) => type === 'tfhd')
    const said = header === undefined ? null : headerIn(bodyOf(bytes, header), tracks)
    if (inside === null || said === null) return false
    const { found } = said
    const begins = timeIn(
      inside.find(({ type }) => type === 'tfdt'),
      bytes,
    )
    // Readers take it from the index then, where times are those of showing.
    if (begins === null && hasIndex) return false
    const base = said.base ?? (said.isFromMoof ? moofAt : behind)
    const runs = inside.filter(({ type }) => type === 'trun').map((run) => bodyOf(bytes, run))
    let from: Reached = { place: base, decoded: begins ?? found.end }
    for (const [number, run] of runs.entries()) {
      const next = addRun(tracks, said, run, { ...from, base, isFirst: number === 0, sizeBytes })
      if (next === null) return false
      from = next
    }
    behind = from.place
  }
  return true
}

interface FragmentHeader {
  readonly found: Gathered
  readonly usual: Usual
  readonly base: number | null
  readonly isFromMoof: boolean
}

const HEADER = {
  base: 0x1,
  description: 0x2,
  lasts: 0x8,
  size: 0x10,
  flags: 0x20,
  isFromMoof: 0x20000,
}

/** `tfhd` of a known track with its only description of samples. */
function headerIn(body: Uint8Array, tracks: ReadonlyMap<number, Gathered>): FragmentHeader | null {
  if (body.byteLength < 8) return null
  const view = viewOf(body)
  const flags = view.getUint32(0) & 0xffffff
  const found = tracks.get(view.getUint32(4))
  const optional = [HEADER.description, HEADER.lasts, HEADER.size, HEADER.flags]
  const words = optional.filter((flag) => (flags & flag) !== 0)
  const wordsAt = (flags & HEADER.base) === 0 ? 8 : 16
  if (found === undefined || body.byteLength < wordsAt + 4 * words.length) return null
  const word = (flag: number): number | null =>
    words.includes(flag) ? view.getUint32(wordsAt + 4 * words.indexOf(flag)) : null
  if ((word(HEADER.description) ?? 1) !== 1) return null
  const { usual } = found
  return {
    found,
    base: wordsAt === 8 ? null : Number(view.getBigUint64(8)),
    isFromMoof: (flags & HEADER.isFromMoof) !== 0,
    usual: {
      lasts: word(HEADER.lasts) ?? usual.lasts,
      size: word(HEADER.size) ?? usual.size,
      flags: word(HEADER.flags) ?? usual.flags,
    },
  }
}

/** `tfdt`; null where there is none. */
function timeIn(box: Box | undefined, bytes: Uint8Array): number | null {
  if (box === undefined) return null
  const body = bodyOf(bytes, box)
  if (body.byteLength < (body[0] === 1 ? 12 : 8)) return null
  return body[0] === 1 ? Number(viewOf(body).getBigUint64(4)) : viewOf(body).getUint32(4)
}

interface Reached {
  readonly place: number
  readonly decoded: number
}

interface RunFrom extends Reached {
  readonly base: number
  readonly isFirst: boolean
  readonly sizeBytes: number
}

const RUN = { place: 0x1, first: 0x4, lasts: 0x100, size: 0x200, flags: 0x400, later: 0x800 }
/** A sample that is no key, and one that depends on others. */
const NO_KEY = 0x10000 | 0x1000000

/** `trun`: samples side by side. Null where it is not understood. */
function addRun(
  tracks: ReadonlyMap<number, Gathered>,
  { found, usual }: FragmentHeader,
  body: Uint8Array,
  { base, isFirst, sizeBytes, ...from }: RunFrom,
): Reached | null {
  if (body.byteLength < 8) return null
  const view = viewOf(body)
  const flags = view.getUint32(0) & 0xffffff
  const count = view.getUint32(4)
  const has = (flag: number): boolean => (flags & flag) !== 0
  const firstAt = has(RUN.place) ? 12 : 8
  const samplesAt = has(RUN.first) ? firstAt + 4 : firstAt
  const fields = [RUN.lasts, RUN.size, RUN.flags, RUN.later].filter(has)
  // Readers do not agree where a later run without a place begins.
  if ((!has(RUN.place) && !isFirst) || samplesAt + 4 * fields.length * count > body.byteLength)
    return null
  const before = Array.from(tracks.values()).reduce((sum, each) => sum + each.count, 0)
  if (before + count > MOST_SAMPLES) return null
  const read = (sample: number, flag: number, otherwise: number): number =>
    has(flag)
      ? view.getUint32(samplesAt + 4 * (sample * fields.length + fields.indexOf(flag)))
      : otherwise
  const begins = has(RUN.place) ? base + view.getInt32(8) : base
  let { decoded } = from
  let place = begins
  let added = 0
  for (let sample = 0; sample < count; sample += 1) {
    const isSaidFirst = sample === 0 && has(RUN.first)
    const size = read(sample, RUN.size, usual.size)
    const lasts = read(sample, RUN.lasts, usual.lasts)
    const ofKey = read(sample, RUN.flags, isSaidFirst ? view.getUint32(firstAt) : usual.flags)
    // Without bytes ffmpeg reads no further.
    if (size === 0 || place < 0 || !Number.isSafeInteger(decoded)) return null
    if (place + size > sizeBytes) found.isCutOff = true
    else {
      // A recording that broke off has nothing behind what is missing.
      if (found.isCutOff) return null
      const isKey = (ofKey & NO_KEY) === 0
      if (!addSample(found, { decoded, lasts, later: read(sample, RUN.later, 0) | 0, isKey, size }))
        return null
      added += 1
    }
    place += size
    decoded += lasts
  }
  if (added > 0) addChunk(found, begins, added)
  return { place, decoded }
}
