import { box, boxAt, boxesIn, timeScaleOf, trackIdOf, type Box } from '#checks/boxes.ts'
import { joinedBytes, numbers, viewOf } from '#checks/bytes.ts'
import { ok, type Result } from '#recipes/result.ts'
import {
  addFragment,
  addStored,
  createGathered,
  type Gathered,
  type Usual,
} from './fragment-samples.ts'
import { refused, type MovieBytes, type NoIndex } from './movie-bytes.ts'
import { bodyOf, editIn, finder, insideOf, kindOf, partsOf, tablesIn } from './track-boxes.ts'
import { editBox, lasting, NOTHING, VERSION_1 } from './written-boxes.ts'

/** Of all fragments together; a day of pictures and sound has less. */
const MOST_BYTES = 64 * 1024 ** 2
const MOST_FRAGMENTS = 65_536
/** With the boxes between them: some writers put three before each fragment. */
const MOST_BOXES = 8 * MOST_FRAGMENTS

/**
 * The index that a fragmented MP4 or MOV would have if it were not fragmented: a whole box `moov`,
 * of which excerpts and trims are made as of any other.
 *
 * [Note: fragments] Recordings that a dead program must not spoil say of their samples in pieces:
 * before each second or two of media stands a box with the tables of these (`moof`). All of them
 * are read, one read each, because times and keys of all of a video are asked for; an index of them
 * at the end of the file (`mfra`, `sidx`) says neither.
 * - The clock is the one that ffmpeg has of such a file, which edits are planned by. Edit lists
 *   only move it, whatever they leave out; all is counted from the first track's beginning then.
 *   Pictures that are shown before they are decoded move the clock of their track.
 * - A sample lasts until the next one, so that gaps between fragments stay.
 * - A recording that broke off ends with its last whole sample.
 * - What readers see differently, or not at all, is refused: fragments that overlap, runs without a
 *   place, several descriptions of samples, samples without bytes.
 * @param moov the box, whole, which ends at `behind` in the file
 */
export async function indexOfFragments(
  source: MovieBytes,
  moov: Uint8Array,
  behind: number,
  nextTask: () => Promise<void>,
): Promise<Result<Uint8Array, NoIndex>> {
  const movie = movieIn(moov)
  if (movie === null) return refused('excerpt/unusual')
  const tracks = new Map(movie.tracks.map(({ id, found }) => [id, found]))
  const read = await addAll(source, behind, tracks)
  if (!read.ok) return read
  await nextTask()
  const written = writtenIndex(movie)
  return written === null ? refused('excerpt/unusual') : ok(written)
}

/** Reads the fragments behind a place of the file, one after another. */
async function addAll(
  { sizeBytes, read }: MovieBytes,
  behind: number,
  tracks: ReadonlyMap<number, Gathered>,
): Promise<Result<null, NoIndex>> {
  const windowed = readAhead({ sizeBytes, read })
  const sum = { boxes: 0, fragments: 0, bytes: 0 }
  let hasIndex = false
  for (let offset = behind; offset + 8 <= sizeBytes;) {
    const head = await windowed(offset, Math.min(offset + 16, sizeBytes))
    if (head === null) return refused('excerpt/unreadable')
    const found = boxAt(head, offset, sizeBytes)
    if (found === null && !head.every((byte) => byte === 0)) return refused('excerpt/unusual')
    // What a recording that broke off ends with.
    if (found === null || (found.type === 'moof' && found.end > sizeBytes)) break
    sum.boxes += 1
    if (found.type === 'sidx') hasIndex = true
    if (found.type === 'moof') {
      sum.fragments += 1
      sum.bytes += found.end - found.start
      if (sum.bytes > MOST_BYTES || sum.fragments > MOST_FRAGMENTS)
        return refused('excerpt/unusual')
      const bytes = await windowed(found.start, found.end)
      if (bytes === null) return refused('excerpt/unreadable')
      if (!addFragment(tracks, bytes, { moofAt: found.start, sizeBytes, hasIndex }))
        return refused('excerpt/unusual')
    }
    if (sum.boxes > MOST_BOXES) return refused('excerpt/unusual')
    offset = found.end
  }
  return ok(null)
}

const LEAST_AHEAD = 2048
const MOST_AHEAD = 64 * 1024

/** Reads so far ahead that a fragment like the one before, and what follows it, takes one read. */
function readAhead({
  sizeBytes,
  read,
}: MovieBytes): (start: number, end: number) => Promise<Uint8Array | null> {
  let held = { start: 0, bytes: NOTHING }
  let ahead = LEAST_AHEAD
  return async (start, end) => {
    const isHeld = start >= held.start && end <= held.start + held.bytes.byteLength
    if (!isHeld) {
      ahead = Math.min(Math.max(ahead, end - start + 64), MOST_AHEAD)
      const answer = await read(start, Math.min(Math.max(end, start + ahead), sizeBytes))
      if (!answer.ok) return null
      held = { start, bytes: new Uint8Array(answer.value) }
    }
    return held.bytes.subarray(start - held.start, end - held.start)
  }
}

interface FragmentedTrack {
  readonly id: number
  readonly bytes: Uint8Array
  readonly timeScale: number
  /** What its edit list says, in ticks: where its media begin, and how much later than the file. */
  readonly mediaStart: number
  readonly waits: number
  readonly found: Gathered
}

interface FragmentedMovie {
  readonly header: Uint8Array
  readonly timeScale: number
  readonly tracks: readonly FragmentedTrack[]
}

/** Null where it is broken, or says something that is not understood. */
function movieIn(bytes: Uint8Array): FragmentedMovie | null {
  const [moov] = boxesIn(bytes, 0, bytes.byteLength)
  const parts = moov === undefined ? null : insideOf(bytes, moov)
  const header = parts?.find(({ type }) => type === 'mvhd')
  const usually = parts?.find(({ type }) => type === 'mvex')
  if (!parts || header === undefined || usually === undefined) return null
  const timeScale = timeScaleOf(bodyOf(bytes, header))
  const usual = new Map(partsOf(bodyOf(bytes, usually)).flatMap((part) => usualIn(part)))
  const tracks: FragmentedTrack[] = []
  for (const part of parts.filter(({ type }) => type === 'trak')) {
    const track = trackIn(bytes.subarray(part.start, part.end), timeScale, usual)
    if (track === null) return null
    tracks.push(track)
  }
  return { header: bodyOf(bytes, header), timeScale, tracks }
}

/** `trex`, by the number of its track. */
function usualIn({ type, body }: { readonly type: string; readonly body: Uint8Array }) {
  if (type !== 'trex' || body.byteLength < 24) return []
  const view = viewOf(body)
  const usual = { lasts: view.getUint32(12), size: view.getUint32(16), flags: view.getUint32(20) }
  return view.getUint32(8) === 1 ? [[view.getUint32(4), usual] as const] : []
}

const NOTHING_USUAL: Usual = { lasts: 0, size: 0, flags: 0 }

function trackIn(
  bytes: Uint8Array,
  movieScale: number,
  usual: ReadonlyMap<number, Usual>,
): FragmentedTrack | null {
  const [box] = boxesIn(bytes, 0, bytes.byteLength)
  const find = finder(bytes, box)
  const [header, media] = [find('tkhd'), find('mdia', 'mdhd')]
  const kind = kindOf(find('mdia', 'hdlr'))
  if (header === null || media === null || kind === null) return null
  const id = trackIdOf(header)
  const timeScale = timeScaleOf(media)
  const edit = editIn(find('edts', 'elst'), movieScale)
  // Chapters of OBS come with the end of a recording only.
  const ofTrack = usual.get(id) ?? (kind === 'other' ? NOTHING_USUAL : undefined)
  if (ofTrack === undefined || timeScale === 0 || edit === 'unusual') return null
  const found = createGathered(kind, ofTrack)
  const mediaStart = edit?.mediaStart ?? 0
  const waits = Math.round((edit?.waitS ?? 0) * timeScale)
  const stored = partsOf(find('mdia', 'minf', 'stbl'))
  if (hasSamples(stored)) {
    const tables = tablesIn(stored)
    // Readers follow the edit list there, and only move what comes behind.
    if (tables === null || edit !== null || !addStored(found, tables)) return null
  }
  return { id, bytes, timeScale, mediaStart, waits, found }
}

function hasSamples(parts: readonly { readonly type: string; readonly body: Uint8Array }[]) {
  const sizes = parts.find(({ type }) => type === 'stsz' || type === 'stz2')?.body
  return sizes !== undefined && sizes.byteLength >= 12 && viewOf(sizes).getUint32(8) > 0
}

/** When the first sample of a track is shown, in its ticks by the clock of ffmpeg. */
function beginsAt({ mediaStart, waits, found }: FragmentedTrack): number {
  return found.first + found.earliest + found.early - mediaStart + waits
}

/** So much of a sound decoders need before it is heard. */
const MOST_HIDDEN_S = 0.1

/** Whether its edit list leaves out what ffmpeg shows of a fragmented file. */
function isHidden({ timeScale, mediaStart, found }: FragmentedTrack): boolean {
  const hidden = mediaStart - found.first - found.earliest
  return hidden > (found.kind === 'sound' ? MOST_HIDDEN_S * timeScale : 0)
}

function isByTheTick({ found: { kind, ticks } }: FragmentedTrack): boolean {
  return kind === 'sound' && ticks.at(1) === 1
}

function writtenIndex({ header, timeScale, tracks }: FragmentedMovie): Uint8Array | null {
  const present = tracks.filter(({ found }) => found.count > 0)
  const kept = tracks.filter(({ found: { kind } }) => kind !== 'other')
  const startS = Math.min(...kept.map((track) => beginsAt(track) / track.timeScale))
  // The clock of a file begins with the first of all its tracks, also of those that are left out.
  if (present.some((track) => beginsAt(track) / track.timeScale < startS)) return null
  if (kept.some((track) => track.found.count === 0 || isHidden(track) || isByTheTick(track)))
    return null
  const movieScale = Math.max(timeScale, ...kept.map((track) => track.timeScale))
  const sounds = kept.filter(({ found: { kind } }) => kind === 'sound')
  const earlierS = Math.max(0, ...sounds.map((each) => each.mediaStart / each.timeScale))
  const placed = kept.map((track) => placedTrack(track, { startS, earlierS, movieScale }))
  return box(
    'moov',
    lasting('mvhd', header, Math.max(0, ...placed.map(({ lasts }) => lasts)), movieScale),
    ...placed.map(({ track, lasts, edit, later }) => {
      const [trak] = boxesIn(track.bytes, 0, track.bytes.byteLength)
      return trak === undefined ? NOTHING : rewritten({ track, lasts, edit, later }, trak)
    }),
  )
}

interface PlacedTrack {
  readonly track: FragmentedTrack
  /** In ticks of the file. */
  readonly lasts: number
  /** The box `edts`, or nothing. */
  readonly edit: Uint8Array
  /** How much later than its own tables say it is shown, as they are written. */
  readonly later: number
}

/**
 * When a track is shown, by its tables alone where these say it. Where the edit list of a sound
 * begins inside it, ffmpeg reads that sound so much earlier than where it begins with the picture;
 * so pictures are written as decoded earlier.
 */
function placedTrack(
  track: FragmentedTrack,
  { startS, earlierS, movieScale }: Readonly<Record<'startS' | 'earlierS' | 'movieScale', number>>,
): PlacedTrack {
  const { found, timeScale } = track
  const { earliest, latest, kind } = found
  const toMovie = (ticks: number): number => Math.ceil((ticks * movieScale) / timeScale)
  const later = kind === 'picture' ? wholeTicks(earlierS * timeScale, timeScale) : 0
  const begins = wholeTicks(beginsAt(track) - startS * timeScale, timeScale)
  if (begins === earliest && later === 0)
    return { track, lasts: toMovie(latest), edit: NOTHING, later }
  const waits = Math.round((begins * movieScale) / timeScale)
  const lasts = toMovie(latest - earliest)
  const edit = editBox({ mediaStart: earliest + later, waits, lasts })
  return { track, lasts: waits + lasts, edit, later }
}

/** Those that are in the same millisecond, by which edits are planned. */
function wholeTicks(exact: number, timeScale: number): number {
  const toMs = (ticks: number): number => Math.floor((ticks * 1000) / timeScale + 1e-6)
  const before = Math.floor(exact + 1e-6)
  return toMs(before) === toMs(exact) ? before : before + 1
}

/** A box of a track as it is without fragments. */
function rewritten(placed: PlacedTrack, part: Box): Uint8Array {
  const { bytes, found } = placed.track
  const body = bodyOf(bytes, part)
  const all = (only: (type: string) => boolean): readonly Uint8Array[] =>
    (insideOf(bytes, part) ?? [])
      .filter(({ type }) => only(type))
      .map((each) => rewritten(placed, each))
  switch (part.type) {
    case 'tkhd':
      return joinedBytes([lasting('tkhd', body, placed.lasts), placed.edit])
    case 'mdhd':
      return lasting('mdhd', body, found.end - found.first)
    case 'trak':
      return box('trak', ...all((type) => type !== 'edts'))
    case 'mdia':
    case 'minf':
      return box(part.type, ...all(() => true))
    case 'stbl':
      return box('stbl', ...all((type) => type === 'stsd'), ...tablesOf(found, placed.later))
    default:
      return bytes.subarray(part.start, part.end)
  }
}

function tablesOf(found: Gathered, by: number): readonly Uint8Array[] {
  const { ticks, later, sizes, keys, perChunk, places, count, chunks } = found
  ticks.addToRun(found.end - found.last)
  if (by > 0) later.addToValues(by)
  const isLater = later.count > 2 || later.at(1) !== 0
  const hasOthers = found.kind === 'picture' && keys.count < count
  const version = found.early > 0 ? VERSION_1 : 0
  return [
    box('stts', numbers([0, ticks.count / 2]), ticks.bytes()),
    ...(isLater ? [box('ctts', numbers([version, later.count / 2]), later.bytes())] : []),
    ...(hasOthers ? [box('stss', numbers([0, keys.count]), keys.bytes())] : []),
    box('stsc', numbers([0, perChunk.count / 3]), perChunk.bytes()),
    box('stsz', numbers([0, 0, count]), sizes.bytes()),
    box('co64', numbers([0, chunks]), places.bytes()),
  ]
}
