import { leastShare, showsPeople, wantedShare, withFraming } from './heads.ts'
import { likenessBetween } from './likeness.ts'
import { usableRange } from './pick-passages.ts'
import type { Moment, MomentKind } from './types.ts'

/** A picture that may be taken. */
interface Place {
  readonly atMs: number
  readonly score: number
  readonly likeness: string
  readonly isOfPeople: boolean
  /** No face in it is cut, unless the film cuts nearly all of them. */
  readonly isFramed: boolean
  /** Number of its shot. */
  readonly shot: number
}

/** What a picture may be taken of, and how far from the others. */
interface PlaceRound {
  readonly of: readonly MomentKind[]
  /** Share of the even distance. */
  readonly gap: number
  readonly unlikeness: number
}

const CLEAR: readonly MomentKind[] = ['lively', 'calm', 'still']
const ANYTHING: readonly MomentKind[] = [...CLEAR, 'dark', 'soft', 'unseen']
/** Each asks for less than the one before; a source that is all black gives black pictures. */
const ROUNDS: readonly PlaceRound[] = [
  { of: CLEAR, gap: 0.6, unlikeness: 0.7 },
  { of: CLEAR, gap: 0.3, unlikeness: 0.7 },
  { of: CLEAR, gap: 0, unlikeness: 0.7 },
  { of: CLEAR, gap: 0, unlikeness: 0.4 },
  // Of a scene that looks the same all the time: another time of it, not the next second.
  { of: CLEAR, gap: 0.6, unlikeness: 0 },
  { of: CLEAR, gap: 0.3, unlikeness: 0 },
  { of: ANYTHING, gap: 0.2, unlikeness: 0.4 },
  { of: ANYTHING, gap: 0, unlikeness: 0 },
  { of: [...ANYTHING, 'title'], gap: 0, unlikeness: 0 },
  { of: [...ANYTHING, 'title', 'black'], gap: 0, unlikeness: 0 },
]
/** Rounds in which places are kept for people, before all may take them. */
const ROUNDS_OF_PEOPLE: readonly PlaceRound[] = [
  ...ROUNDS.slice(0, 6),
  { of: CLEAR, gap: 0, unlikeness: 0 },
]
/**
 * Of each shot of people one picture, before a second one of any; a third one only where it looks
 * unlike them.
 */
const OF_ONE_SHOT = [1, 2, 3] as const
const ALIKE_OF_ONE_SHOT = 2
/** Two pictures of one shot with people: another pose, not the next second. */
const POSE_MS = 1500
/** What a picture loses where a head in it is badly framed. */
const BADLY_FRAMED = 0.5
/** Pictures nearer than this are the same. */
const MIN_GAP_MS = 200
/** Where stretches are too few, there are more pictures in each. */
const WITHIN_MS = 250

/** What may be taken beside what is chosen. */
interface Wanted {
  readonly places: readonly Place[]
  readonly gapMs: number
  readonly unlikeness: number
  /** Pictures of all, and of one shot. */
  readonly most: number
  readonly ofShot?: number
}

/**
 * Picks places for pictures, in order of time: the best, spread over the source, no two alike while
 * there are others and the share of faces that is wanted allows; black and titles only where there
 * is nothing else.
 */
export function pickPlaces(
  sourceDurationMs: number,
  moments: readonly Moment[],
  count: number,
): number[] {
  const { fromMs, toMs } = usableRange(sourceDurationMs, 0)
  const evenMs = (toMs - fromMs) / Math.max(1, count)
  const framed = withFraming(moments)
  const shots = shotsOf(framed)
  const placesOf = ({ of, gap, unlikeness }: PlaceRound): readonly Place[] =>
    framed
      .flatMap((moment, at) =>
        of.includes(pictureOf(moment))
          ? placesIn(moment, shots[at] ?? 0, gap === 0 && unlikeness === 0)
          : [],
      )
      .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
      .toSorted((a, b) => b.score - a.score || a.atMs - b.atMs)
  let chosen: readonly Place[] = []
  const round = (each: PlaceRound, more: Partial<Wanted> = {}): Wanted => ({
    places: placesOf(each),
    gapMs: Math.max(MIN_GAP_MS, each.gap * evenMs),
    unlikeness: each.unlikeness,
    most: count,
    ...more,
  })
  for (const { most, places, ofShot } of peopleRounds(framed, count))
    for (const each of ROUNDS_OF_PEOPLE) {
      if (chosen.length >= most) break
      if (ofShot > ALIKE_OF_ONE_SHOT && each.unlikeness === 0) continue
      chosen = withPlaces(
        chosen,
        round(each, { places: placesOf(each).filter(places), most, ofShot }),
      )
    }
  for (const each of ROUNDS) {
    if (chosen.length >= count) break
    chosen = withPlaces(chosen, round(each))
  }
  const middles = Array.from({ length: count }, (_, index): Place => ({
    atMs: Math.round(fromMs + (index + 0.5) * evenMs),
    score: 0,
    likeness: '',
    isOfPeople: false,
    isFramed: true,
    shot: -1,
  }))
  const gapMs = Math.min(MIN_GAP_MS, evenMs * 0.3)
  return withPlaces(chosen, { places: middles, gapMs, unlikeness: 0, most: count })
    .map(({ atMs }) => Math.round(atMs))
    .toSorted((a, b) => a - b)
}

/**
 * How people are taken before all else: well framed ones for the share that is wanted, others for
 * the least share.
 */
function peopleRounds(moments: readonly Moment[], count: number) {
  const places = (share: number): number => Math.ceil(count * share - 1e-6)
  const [wanted, least] = [places(wantedShare(moments)), places(leastShare(moments))]
  if (least === 0) return []
  const of = (isFramed: boolean, most: number) =>
    OF_ONE_SHOT.map((ofShot) => ({
      most,
      ofShot,
      places: (place: Place) => place.isOfPeople && place.isFramed === isFramed,
    }))
  return [...of(true, wanted), ...of(false, least)]
}

/** What was chosen, and of the places those that may be taken beside it. */
function withPlaces(
  before: readonly Place[],
  { places, gapMs, unlikeness, most, ofShot = Infinity }: Wanted,
): readonly Place[] {
  const chosen = [...before]
  for (const place of places) {
    if (chosen.length >= most) break
    const isFree = chosen.every((other) => {
      const isPose = ofShot < Infinity && other.shot === place.shot
      return (
        Math.abs(other.atMs - place.atMs) >= (isPose ? Math.max(POSE_MS, gapMs) : gapMs) &&
        (unlikeness === 0 || likenessBetween(other.likeness, place.likeness) >= unlikeness)
      )
    })
    if (isFree && chosen.filter(({ shot }) => shot === place.shot).length < ofShot)
      chosen.push(place)
  }
  return chosen
}

/** The number of the shot of each moment; what is unseen between two parts them. */
function shotsOf(moments: readonly Moment[]): readonly number[] {
  let shot = 0
  return moments.map(({ atMs, startsShot }, index) => {
    const before = moments[index - 1]
    if (before !== undefined && (startsShot || atMs - before.atMs - before.lengthMs >= 2)) shot += 1
    return shot
  })
}

/** What its sharpest picture is worth: a blurred one no more than one out of focus. */
function pictureOf({ shows, isBlurred }: Moment): MomentKind {
  return isBlurred === true && CLEAR.includes(shows) ? 'soft' : shows
}

/** The sharpest picture of a stretch, and others of it where they are needed. */
function placesIn(moment: Moment, shot: number, all: boolean): Place[] {
  const { atMs, lengthMs, stillMs, likeness, fault = 0 } = moment
  const score = moment.score - BADLY_FRAMED * fault
  const own = { likeness, isOfPeople: showsPeople(moment), isFramed: fault < 1, shot }
  const sharpest = { ...own, atMs: stillMs, score }
  if (!all) return [sharpest]
  const others = Array.from({ length: Math.floor(lengthMs / WITHIN_MS) }, (_, index): Place => ({
    ...own,
    atMs: atMs + (index + 0.5) * WITHIN_MS,
    score: score / 2,
  }))
  return [sharpest, ...others]
}
