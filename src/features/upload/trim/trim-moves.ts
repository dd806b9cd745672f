import type { Trim, TrimPlaces } from '#src/local/uploads/page/trim.ts'

/** One of the two handles. */
export type TrimEnd = keyof Trim

/** A leap passes this share of all places where the video can be cut. */
const LEAPS = 20

export function isSameTrim(a: Trim, b: Trim): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs
}

/** All of the video, as it is cut then. */
export function wholeOf(places: TrimPlaces): Trim {
  return places.snap({ fromMs: 0, toMs: places.durationMs })
}

/**
 * The trim with one end moved to where the video can be cut near a time. Unchanged where the other
 * end would have to make room.
 */
export function moveEnd(places: TrimPlaces, trim: Trim, end: TrimEnd, ms: number): Trim {
  const wanted =
    end === 'fromMs'
      ? { ...trim, fromMs: Math.min(Math.max(0, ms), trim.toMs - 1) }
      : { ...trim, toMs: Math.min(Math.max(trim.fromMs + 1, ms), places.durationMs) }
  const moved = places.snap(wanted)
  const other = end === 'fromMs' ? 'toMs' : 'fromMs'
  return moved[other] === trim[other] ? moved : trim
}

/**
 * Moves one end over so many places where the video can be cut, or as far as it goes.
 * @param by negative = towards the beginning; may be infinite
 */
export function stepEnd(places: TrimPlaces, trim: Trim, end: TrimEnd, by: number): Trim {
  const stops = [...places.startsMs, places.durationMs].filter((each) =>
    end === 'fromMs' ? each < trim.toMs : each > trim.fromMs,
  )
  const ahead =
    by > 0
      ? stops.filter((each) => each > trim[end])
      : stops.filter((each) => each < trim[end]).toReversed()
  const wanted = Math.min(Math.abs(by), ahead.length) - 1
  // What lies so near that it snaps back is no step; then the next one is.
  for (const stop of [
    ...ahead.slice(wanted),
    ...ahead.slice(0, Math.max(0, wanted)).toReversed(),
  ]) {
    const moved = moveEnd(places, trim, end, stop)
    if (!isSameTrim(moved, trim)) return moved
  }
  return trim
}

/** How many places a leap passes, with Page Up and Page Down. */
export function leapOf({ startsMs }: TrimPlaces): number {
  return Math.max(2, Math.ceil(startsMs.length / LEAPS))
}
