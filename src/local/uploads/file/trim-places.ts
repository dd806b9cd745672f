import type { MovieIndex, MovieTrack } from '#checks/movie/movie-index.ts'
import {
  at,
  countUpTo,
  countWhile,
  lastsAt,
  type SampleTables,
} from '#checks/movie/sample-tables.ts'
import { firstShownS, shownTimes, toSeconds } from '#checks/movie/track-clock.ts'

/**
 * The stretch of a video that is sent, in milliseconds of its presentation: as a player shows it,
 * from 0. `toMs` is behind the last picture.
 */
export interface Trim {
  readonly fromMs: number
  readonly toMs: number
}

/** Where the pictures of a file can be cut. Times are in ticks of their track. */
export interface PicturePlaces {
  readonly track: MovieTrack
  /** When the file begins, by the clock of its edit lists: 0 of its presentation. */
  readonly startS: number
  /** When each picture is shown, as they are stored. */
  readonly shown: Float64Array
  /** When any picture is shown at the earliest that is stored there or later. */
  readonly earliest: Float64Array
  /** When the pictures of the presentation are shown, in order. */
  readonly inOrder: Float64Array
  /** When the last of them ends. */
  readonly end: number
  /** The pictures that a trim can begin with, in order; the first begins the presentation. */
  readonly starts: readonly Start[]
}

interface Start {
  readonly shownAt: number
  /** The key, as it is numbered among all samples. */
  readonly key: number
  /** So many samples behind it are shown before it, and may need what is cut away. */
  readonly leading: number
}

/**
 * Of these codecs a key is known to begin a stretch, and what is shown before it to be needed by
 * nothing behind it.
 */
const FORMATS: ReadonlySet<string> = new Set(['avc1', 'avc3', 'hvc1', 'hev1'])

/** Null where no trim is possible; other pictures, such as covers, leave open what is shown. */
export function picturePlaces({ tracks }: MovieIndex): PicturePlaces | null {
  const [track, ...others] = tracks.filter(({ kind }) => kind === 'picture')
  if (track === undefined || others.length > 0 || !FORMATS.has(track.format)) return null
  const shown = shownTimes(track.tables)
  const earliest = earliestFrom(shown)
  const media = shownMedia(track)
  const inOrder = shown.filter((time) => time >= media.start && time < media.end).toSorted()
  const first = inOrder[0]
  if (first === undefined) return null
  const last = shown.lastIndexOf(at(inOrder, inOrder.length - 1))
  const end = Math.min(media.end, at(shown, last) + lastsAt(track.tables.clock, last))
  const starts = startsOf(track.tables, { shown, earliest }, first, end)
  const startS = Math.min(...tracks.map(firstShownS))
  return starts === null ? null : { track, startS, shown, earliest, inOrder, end, starts }
}

function earliestFrom(shown: Float64Array): Float64Array {
  const earliest = shown.slice()
  for (let sample = shown.length - 2; sample >= 0; sample -= 1)
    earliest[sample] = Math.min(at(shown, sample), at(earliest, sample + 1))
  return earliest
}

/** What of the media of a track the edit list shows, in ticks. */
export function shownMedia({ edit, timeScale }: MovieTrack): {
  readonly start: number
  readonly end: number
} {
  if (edit === null) return { start: -Infinity, end: Infinity }
  const { mediaStart: start, lengthS } = edit
  return { start, end: lengthS === null ? Infinity : start + Math.round(lengthS * timeScale) }
}

/**
 * The keys within the presentation. A key is none whose leading pictures are stored among others,
 * because it is not known what these need. The first picture is always one: where it is no key, the
 * one before it is sent too, as the whole has it.
 */
function startsOf(
  { keys, count }: SampleTables,
  { shown, earliest }: Pick<PicturePlaces, 'shown' | 'earliest'>,
  first: number,
  end: number,
): readonly Start[] | null {
  const starts: Start[] = []
  let before: Start | null = null
  for (let each = 0; each < (keys?.length ?? count); each += 1) {
    const key = keys === null ? each : at(keys, each)
    const shownAt = at(shown, key)
    let leading = 0
    while (key + leading + 1 < count && at(shown, key + leading + 1) < shownAt) leading += 1
    if (key + leading + 1 < count && at(earliest, key + leading + 1) < shownAt) continue
    const start = { shownAt, key, leading }
    if (shownAt <= first) before = start
    else if (shownAt < end) starts.push(start)
  }
  if (before === null) return null
  return [
    { ...before, shownAt: first },
    ...starts.toSorted((one, other) => one.shownAt - other.shownAt),
  ]
}

/**
 * By the clock of the file. Where an edit list begins between two pictures, ffmpeg moves all
 * pictures forward, so that the first one is shown at once; so do players that are made with it.
 */
export function shownS({ track, starts }: PicturePlaces, ticks: number): number {
  const { edit } = track
  const first = starts[0]?.shownAt ?? 0
  return toSeconds(
    edit === null ? track : { ...track, edit: { ...edit, mediaStart: first } },
    ticks,
  )
}

/** In milliseconds of the presentation. */
export function toMs(places: PicturePlaces, ticks: number): number {
  return Math.max(0, Math.round((shownS(places, ticks) - places.startS) * 1000))
}

/** A stretch as it can be cut. */
export interface Cut {
  readonly start: Start
  /** In ticks: when the next picture is shown, or when the last one ends. */
  readonly to: number
}

/** The nearest one, with one picture at least. */
export function nearestCut(places: PicturePlaces, { fromMs, toMs: untilMs }: Trim): Cut {
  const { starts, inOrder, end } = places
  const start = nearest(starts, fromMs, ({ shownAt }) => toMs(places, shownAt))
  const ends = inOrder.subarray(countUpTo(inOrder, start.shownAt))
  return {
    start,
    to: nearest([...around(ends, places, untilMs), end], untilMs, (to) => toMs(places, to)),
  }
}

/** The times around one, so that not all of a long video are looked at. */
function around(ends: Float64Array, places: PicturePlaces, ms: number): readonly number[] {
  const before = countWhile(ends.length, (index) => toMs(places, at(ends, index)) < ms)
  return Array.from(ends.subarray(Math.max(0, before - 1), before + 1))
}

function nearest<T>(all: readonly T[], wanted: number, valueOf: (each: T) => number): T {
  return all.reduce((best, each) =>
    Math.abs(valueOf(each) - wanted) < Math.abs(valueOf(best) - wanted) ? each : best,
  )
}

/** Whether both ends are those of the whole. */
export function isWhole({ starts, end }: PicturePlaces, { start, to }: Cut): boolean {
  return start === starts[0] && to === end
}

export function trimOf(places: PicturePlaces, { start, to }: Cut): Trim {
  return { fromMs: toMs(places, start.shownAt), toMs: toMs(places, to) }
}

/** Behind the last sample that is needed. */
export function endOfCut({ earliest }: PicturePlaces, { to }: Cut): number {
  return countWhile(earliest.length, (sample) => at(earliest, sample) < to)
}
