import { composedFile, type ComposedFile } from '#checks/movie/composed-file.ts'
import type { OwnClock, PlacedTrack } from '#checks/movie/composed-head.ts'
import type { MovieIndex, MovieTrack } from '#checks/movie/movie-index.ts'
import {
  at,
  chunkParts,
  decodedAt,
  endOf,
  joinedRanges,
  keyBefore,
  lastsAt,
  sampleBefore,
  shownAt,
  type SampleRange,
} from '#checks/movie/sample-tables.ts'
import { SOUND_BEFORE_S, toSeconds, toTicks } from '#checks/movie/track-clock.ts'
import {
  endOfCut,
  isWhole,
  nearestCut,
  picturePlaces,
  shownMedia,
  shownS,
  toMs,
  trimOf,
  type Cut,
  type PicturePlaces,
  type Trim,
} from './trim-places.ts'

/** A trim of a file. */
interface PlannedTrim {
  readonly trim: Trim
  readonly file: ComposedFile
}

/** Where a video can be cut. Everything here is computed from its index; nothing is read again. */
export interface TrimPlaces {
  /** Of the presentation of the whole, with the sound behind the last picture. */
  readonly durationMs: number
  /**
   * When the pictures are shown at which a trim can begin, in order; the first of them is the first
   * picture of the video.
   */
  readonly startsMs: readonly number[]
  /**
   * How many bytes would be sent, to some kilobytes; exact once the trim is set
   * (`UploadRow.file.sizeBytes`). Cheap enough for every move of a handle.
   */
  sizeOf(trim: Trim): number
  /**
   * The nearest trim that can be cut: it begins at one of `startsMs` and ends behind a picture, one
   * at least. The whole where both ends are those of the whole.
   */
  snap(trim: Trim): Trim
}

/** The same with what makes a trim. */
export interface FilePlaces extends TrimPlaces {
  isWhole(trim: Trim): boolean
  /** Null where what the index says contradicts the file. */
  plan(trim: Trim): PlannedTrim | null
}

/** Two hours of 60 pictures a second, each in a chunk of its own as every packet of sound is. */
const MOST_PARTS = 2_000_000

/**
 * [Note: trim] A trim is a file of its own: new tables of samples, and the bytes of one stretch.
 * Unlike an excerpt it has its own clock, which begins with the first picture.
 * - It begins with a key. Pictures that are decoded behind the key and shown before it (leading
 *   pictures of an open group) need the group before, so they are left out; the key takes the time
 *   of decoding of the last of them, so that the rate of the pictures stays even.
 * - It ends behind any picture. What is decoded before the last picture and shown behind it is
 *   sent, because others need it, and is not shown: the edit list ends before it.
 * - Where the first picture of the whole is no key (a phone or a copy has trimmed it already), a
 *   trim from the beginning has the hidden pictures of the whole before it.
 * - Sound begins some packets earlier, which decoders need, and the edit list skips them; PCM
 *   begins with the very sample. Sound that has nothing in the stretch is left out.
 * - All pictures and sounds of the stretch are there. Everything else is left out: time codes,
 *   texts, chapters, data, and notes of cameras such as places; what says how to look around in a
 *   spherical picture stays.
 * - Lengths are in ticks of the picture, so that the edit list ends between two pictures.
 */
export function filePlaces(index: MovieIndex): FilePlaces | null {
  const places = picturePlaces(index)
  if (places === null) return null
  const sums = new Map(index.tracks.map((track) => [track, sumsOf(track)]))
  const cutOf = (trim: Trim): Cut => nearestCut(places, trim)
  return {
    durationMs: durationMs(index, places),
    startsMs: places.starts.map(({ shownAt: shown }) => toMs(places, shown)),
    sizeOf: (trim) =>
      trimTracks(index, places, cutOf(trim)).reduce(
        (sum, each) => sum + sizeOfTrack(each, sums.get(each.track) ?? null),
        index.brand.byteLength + index.header.byteLength,
      ),
    snap: (trim) => trimOf(places, cutOf(trim)),
    isWhole: (trim) => isWhole(places, cutOf(trim)),
    plan: (trim) => {
      const cut = cutOf(trim)
      if (cut.to <= cut.start.shownAt) return null
      const parts = ({ track, ranges }: PlacedTrack) => chunkParts(track.tables, ranges)
      const limits = { silence: 0, mostParts: MOST_PARTS }
      const file = composedFile(index, trimTracks(index, places, cut), parts, limits)
      return file === null ? null : { trim: trimOf(places, cut), file }
    },
  }
}

function durationMs({ tracks }: MovieIndex, places: PicturePlaces): number {
  const ends = tracks.map((track) =>
    track === places.track
      ? shownS(places, places.end)
      : toSeconds(track, Math.min(shownMedia(track).end, endOf(track.tables.clock))),
  )
  return Math.round((Math.max(...ends) - places.startS) * 1000)
}

/** The samples of a stretch by its own clock, of all tracks that have any. */
function trimTracks(
  { tracks }: MovieIndex,
  places: PicturePlaces,
  cut: Cut,
): readonly PlacedTrack[] {
  return tracks.flatMap((track) =>
    track === places.track ? pictures(places, cut) : (sound(track, places, cut) ?? []),
  )
}

function pictures(places: PicturePlaces, cut: Cut): PlacedTrack {
  const { track } = places
  const { tables, timeScale } = track
  const { key, leading, shownAt: from } = cut.start
  const end = Math.max(endOfCut(places, cut), key + 1)
  const behind = Math.min(key + 1 + leading, end)
  const keyShown = shownAt(tables, key)
  // In the place of the last one that is left out, and not later than it is shown.
  const decoded = Math.min(decodedAt(tables.clock, key + leading), keyShown)
  const until =
    behind < end
      ? decodedAt(tables.clock, behind)
      : decodedAt(tables.clock, key + leading) + lastsAt(tables.clock, key + leading)
  return {
    track,
    ranges: joinedRanges([
      { start: key, end: key + 1 },
      ...(behind < end ? [{ start: behind, end }] : []),
    ]),
    clock: {
      first: { lasts: until - decoded, later: keyShown - decoded },
      edit: { mediaStart: from - decoded, waits: 0, lasts: cut.to - from },
      movieScale: timeScale,
    },
  }
}

/** Null where nothing is heard in the stretch. */
function sound(track: MovieTrack, places: PicturePlaces, cut: Cut): PlacedTrack | null {
  const { tables, timeScale } = track
  const { timeScale: movieScale } = places.track
  const [from, to] = [cut.start.shownAt, cut.to].map((ticks) =>
    toTicks(track, shownS(places, ticks)),
  ) as [number, number]
  const media = shownMedia(track)
  const first = Math.round(Math.max(from, media.start, 0))
  const last = Math.min(to, media.end, endOf(tables.clock))
  if (first >= last) return null
  const range = heardRange(track, first, last)
  const toMovie = (ticks: number): number => Math.round((ticks * movieScale) / timeScale)
  // Less than a tick of the sound is no wait.
  const waits = first - from < 1 ? 0 : toMovie(first - from)
  const edit = {
    mediaStart: first - decodedAt(tables.clock, range.start),
    waits,
    lasts: Math.min(toMovie(last - first), cut.to - cut.start.shownAt - waits),
  }
  const clock: OwnClock = { first: null, edit, movieScale }
  return edit.lasts > 0 && range.end > range.start ? { track, ranges: [range], clock } : null
}

function heardRange(
  { tables, isEven, timeScale }: MovieTrack,
  first: number,
  last: number,
): SampleRange {
  if (isEven) return { start: first, end: Math.min(Math.ceil(last), tables.count) }
  const before = sampleBefore(tables, first - SOUND_BEFORE_S * timeScale)
  const start = keyBefore(tables, before)
  return { start, end: Math.max(start, sampleBefore(tables, Math.ceil(last) - 1)) + 1 }
}

/** How many bytes the samples before each one have together; null where all have the same. */
function sumsOf({ tables: { sizes, count } }: MovieTrack): Float64Array | null {
  if (sizes.even !== null) return null
  const sums = new Float64Array(count + 1)
  for (let sample = 0; sample < count; sample += 1)
    sums[sample + 1] = at(sums, sample) + sizes.of(sample)
  return sums
}

/** With the tables, which take as much as in the whole for each sample. */
function sizeOfTrack({ track, ranges }: PlacedTrack, sums: Float64Array | null): number {
  const { sizes, count } = track.tables
  const kept = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const media = ranges.reduce(
    (sum, { start, end }) => sum + at(sums ?? NONE, end) - at(sums ?? NONE, start),
    0,
  )
  const bytes = sizes.even === null ? media : kept * sizes.even
  return bytes + Math.round((track.bytes.byteLength * kept) / count)
}

const NONE = new Float64Array()
