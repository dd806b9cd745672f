/**
 * [Note: beside faces] Where faces have been found, the mark stands at places that none of them
 * touches in that stay, and where each place is touched, at the one that hides least of them. It
 * glides only where the way is free, and is at the next place at once otherwise. Among what is
 * equal it keeps to its order, moves on rather than stays, and changes edges, because a mark that
 * stays at one edge is cropped away with it.
 */
import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceRectangle, FaceTrack } from '#recipes/face-cover/types.ts'
import { GLIDE_S, PLACES, softly, STAY_S, type Stop } from './places.ts'

/** The mark with all that belongs to it, as shares of the picture. */
export interface MarkBox {
  readonly width: number
  readonly height: number
  /** Kept free at each edge. */
  readonly marginX: number
  readonly marginY: number
}

const STAY_MS = STAY_S * 1000
const GLIDE_MS = GLIDE_S * 1000
/** Faces move little in it, and count as everywhere where they are meanwhile. */
const INSTANT_MS = 250
/** Of a glide. */
const STEPS = 16
/** What is kept free around a face, as a share of it: hair, ears and chin. */
const AROUND = 0.12
/** A mark this near to an edge is cropped away with the edge; a share of the free room. */
const AT_EDGE = 0.1

/** What is worse than the place that is next in turn. */
const COSTS = { sameEdge: 1.5, jump: 3, same: 6 } as const

/**
 * One stop for each stay of the mark, and one more; null where no face is known, and the places
 * come in turn.
 */
export function stopsBesideFaces(
  tracks: readonly FaceTrack[],
  mark: MarkBox,
  durationMs: number,
): readonly Stop[] | null {
  if (tracks.length === 0) return null
  const spots = PLACES.map((place) => boxOf(mark, place))
  const stays = Array.from({ length: Math.ceil(durationMs / STAY_MS) }, (_, index) =>
    stayOf(index, tracks, spots),
  )
  const chosen = cheapest(stays, (from, to, stay) => moveOf({ from, to }, stay, spots))
  const stops = chosen.map((place, index): Stop => {
    const next = chosen[index + 1]
    const stay = stays[index]
    return {
      place,
      glides:
        next === undefined || stay === undefined || isFree({ from: place, to: next }, stay, spots),
    }
  })
  // The end of the last glide, which the video does not show.
  const last = stops.at(-1)
  return last === undefined ? null : [...stops, last]
}

/** What is known of one stay. */
interface Stay {
  readonly index: number
  readonly startMs: number
  /** Faces that are seen in it. */
  readonly tracks: readonly FaceTrack[]
  /** The places that hide least, all of them where there is no face. */
  readonly best: readonly number[]
}

function stayOf(index: number, all: readonly FaceTrack[], spots: readonly FaceRectangle[]): Stay {
  const startMs = index * STAY_MS
  const endMs = startMs + STAY_MS
  const tracks = all.filter((track) => track.startMs <= endMs && track.endMs >= startMs)
  const faces = Array.from({ length: STAY_MS / INSTANT_MS }, (_, instant) =>
    facesIn(tracks, startMs + instant * INSTANT_MS, startMs + (instant + 1) * INSTANT_MS),
  ).flat()
  const hidden = spots.map((spot) => faces.reduce((sum, face) => sum + shared(spot, face), 0))
  const least = Math.min(...hidden)
  return {
    index,
    startMs,
    tracks,
    best: [...PLACES.keys()].filter((at) => hidden[at] === least),
  }
}

interface Move {
  readonly from: number
  readonly to: number
}

/** What a move at the end of a stay costs. */
function moveOf(move: Move, stay: Stay, spots: readonly FaceRectangle[]): number {
  if (move.from === move.to) return COSTS.same
  return (shareEdge(move) ? COSTS.sameEdge : 0) + (isFree(move, stay, spots) ? 0 : COSTS.jump)
}

/** What is next in turn may: the turn is as it always was. */
function shareEdge({ from, to }: Move): boolean {
  const edges = (place: number): readonly string[] =>
    (PLACES[place] ?? []).flatMap((share, axis) => {
      if (share <= AT_EDGE) return [`low ${axis}`]
      return share >= 1 - AT_EDGE ? [`high ${axis}`] : []
    })
  return to !== (from + 1) % PLACES.length && edges(from).some((edge) => edges(to).includes(edge))
}

/** Whether the way to the next place touches no face. */
function isFree(
  { from, to }: Move,
  { startMs, tracks }: Stay,
  spots: readonly FaceRectangle[],
): boolean {
  const [begin, end] = [spots[from], spots[to]]
  if (tracks.length === 0 || begin === undefined || end === undefined) return true
  const beginMs = startMs + STAY_MS - GLIDE_MS
  return Array.from(
    { length: STEPS },
    (_, step) => [step / STEPS, (step + 1) / STEPS] as const,
  ).every(([now, then]) => {
    const swept = around([between(begin, end, softly(now)), between(begin, end, softly(then))])
    const faces = facesIn(tracks, beginMs + now * GLIDE_MS, beginMs + then * GLIDE_MS)
    return faces.every((face) => shared(swept, face) === 0)
  })
}

function between(from: FaceRectangle, to: FaceRectangle, share: number): FaceRectangle {
  return {
    ...from,
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  }
}

/** The best place of each stay, all moves together as cheap as can be. */
function cheapest(
  stays: readonly Stay[],
  costOf: (from: number, to: number, stay: Stay) => number,
): readonly number[] {
  interface Way {
    readonly cost: number
    readonly place: number
    readonly before: Way | null
  }
  let ways: readonly Way[] = []
  for (const stay of stays) {
    const earlier = stays[stay.index - 1]
    ways = stay.best.map((place): Way => {
      const own = distance(place, stay.index) / PLACES.length
      if (earlier === undefined) return { cost: own, place, before: null }
      const costs = ways.map((way) => way.cost + costOf(way.place, place, earlier))
      const cost = Math.min(...costs)
      return { cost: cost + own, place, before: ways[costs.indexOf(cost)] ?? null }
    })
  }
  const least = Math.min(...ways.map(({ cost }) => cost))
  const places: number[] = []
  for (let way = ways.find(({ cost }) => cost === least) ?? null; way !== null; way = way.before)
    places.push(way.place)
  return places.toReversed()
}

/** How many places the turn is away from this one. */
function distance(place: number, stay: number): number {
  return (place - (stay % PLACES.length) + PLACES.length) % PLACES.length
}

/** Where the mark is at a place. */
function boxOf(
  { width, height, marginX, marginY }: MarkBox,
  [x, y]: readonly [number, number],
): FaceRectangle {
  return {
    x: marginX + (1 - width - 2 * marginX) * x,
    y: marginY + (1 - height - 2 * marginY) * y,
    width,
    height,
  }
}

/** All that faces take between two times, each with what is kept free around it. */
function facesIn(
  tracks: readonly FaceTrack[],
  fromMs: number,
  toMs: number,
): readonly FaceRectangle[] {
  return tracks
    .filter(({ startMs, endMs }) => startMs <= toMs && endMs >= fromMs)
    .map((track) => {
      const [from, to] = [Math.max(fromMs, track.startMs), Math.min(toMs, track.endMs)]
      const within = track.boxes.filter(({ atMs }) => atMs > from && atMs < to)
      return grown(around([faceBoxAt(track, from), ...within, faceBoxAt(track, to)]))
    })
}

function around(boxes: readonly FaceRectangle[]): FaceRectangle {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

function grown({ x, y, width, height }: FaceRectangle): FaceRectangle {
  return {
    x: x - width * AROUND,
    y: y - height * AROUND,
    width: width * (1 + 2 * AROUND),
    height: height * (1 + 2 * AROUND),
  }
}

/** The area that both have. */
function shared(one: FaceRectangle, other: FaceRectangle): number {
  const along = (from: number, length: number, otherFrom: number, otherLength: number): number =>
    Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom))
  return (
    along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height)
  )
}
