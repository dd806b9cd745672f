import { boxAt } from '#recipes/face-cover/cover.ts'
import {
  FACE_BOUNDS,
  type FaceBox,
  type FaceFinding,
  type FaceRectangle,
  type FaceTrack,
  type Stretch,
} from '#recipes/face-cover/types.ts'

/** A face through the pictures of one stretch: `boxes` are [x, y, width, height] in shares. */
interface FoundPath {
  /** Index of the picture in which it begins. */
  readonly first: number
  readonly boxes: readonly (readonly number[])[]
  readonly certainty: number
}

/**
 * What the search program found in one stretch, which it looked at a little beyond its ends. Times
 * are seconds from `fromMs`.
 */
export interface StretchFound {
  readonly fromMs: number
  /** Only this part counts; the rest is the neighbours'. */
  readonly own: Stretch
  readonly times: readonly number[]
  readonly cuts: readonly number[]
  readonly paths: readonly FoundPath[]
}

type Piece = Omit<FaceTrack, 'id'>

/** Raised whenever a search would find something else. */
export const FINDING_VERSION = 2
/** A box so near to the straight line between its neighbours, by its size, is left out. */
const TOLERANCE = 0.04
/** Two pieces that share so much where two stretches meet are one face. */
const SAME_FACE = 0.3
/** How often a box around all faces of a shot is set. */
const CROWD_STEP_MS = 250

/**
 * One finding of all stretches, in order; null where a video has so many shots with faces that no
 * list could hold them.
 */
export function joinStretches(
  stretches: readonly StretchFound[],
  durationMs: number,
): FaceFinding | null {
  const shots = shotsOf(
    stretches.flatMap(({ fromMs, own, cuts }) =>
      cuts.map((cut) => fromMs + cut * 1000).filter((atMs) => isIn(own, atMs)),
    ),
    durationMs,
  )
  const pieces: Piece[] = []
  for (const stretch of stretches) {
    const before = pieces.filter(({ endMs }) => endMs === stretch.own.startMs)
    for (const piece of piecesOf(stretch, shots)) {
      const earlier = startsAt(piece, stretch.own) ? takeSame(before, piece) : null
      if (earlier === null) pieces.push(piece)
      else pieces[pieces.indexOf(earlier)] = joined(earlier, piece)
    }
  }
  const tracks = withinBounds(
    pieces.map((piece) => ({ ...piece, boxes: simplified(piece.boxes) })),
    shots,
  ).flatMap(inParts)
  if (tracks.length > FACE_BOUNDS.tracks) return null
  const sorted = tracks.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  return {
    version: FINDING_VERSION,
    shots,
    tracks: sorted.map((track, index) => ({ id: `face-${index + 1}`, ...track })),
  }
}

function isIn({ startMs, endMs }: Stretch, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs
}

function shotsOf(cutsMs: readonly number[], durationMs: number): Stretch[] {
  const inside = cutsMs.filter((atMs) => atMs > 0 && atMs < durationMs).toSorted((a, b) => a - b)
  const starts = [...new Set([0, ...inside.map(Math.round)])]
  return starts.map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? durationMs }))
}

/** The paths as pieces of tracks: to the ends of their shots, and no further than the stretch. */
function piecesOf({ fromMs, own, times, paths }: StretchFound, shots: readonly Stretch[]): Piece[] {
  const timeMs = (index: number): number => Math.round(fromMs + (times[index] ?? 0) * 1000)
  return paths.flatMap(({ first, boxes, certainty }) => {
    const placed = boxes.map(([x = 0, y = 0, width = 0, height = 0], index): FaceBox => {
      return { atMs: timeMs(first + index), x, y, width, height }
    })
    const [begin, end] = [placed[0]?.atMs ?? 0, placed.at(-1)?.atMs ?? 0]
    const shot = shots.find((each) => isIn(each, begin))
    if (shot === undefined) return []
    const previous = first === 0 ? -Infinity : timeMs(first - 1)
    const next = first + boxes.length >= times.length ? Infinity : timeMs(first + boxes.length)
    const startMs = Math.max(own.startMs, previous < shot.startMs ? shot.startMs : begin)
    const endMs = Math.min(own.endMs, shot.endMs, Math.max(next, end + 1))
    if (startMs >= endMs) return []
    return [{ startMs, endMs, certainty, boxes: clipped(placed, startMs, endMs) }]
  })
}

/** The boxes within a time, with one at each of its ends where there was one beyond. */
function clipped(boxes: readonly FaceBox[], startMs: number, endMs: number): FaceBox[] {
  const inside = boxes.filter(({ atMs }) => atMs >= startMs && atMs <= endMs)
  const edge = (atMs: number): FaceBox => ({ atMs, ...boxAt({ boxes }, atMs) })
  const hasBefore = (boxes[0]?.atMs ?? 0) < startMs && inside[0]?.atMs !== startMs
  const hasAfter = (boxes.at(-1)?.atMs ?? 0) > endMs && inside.at(-1)?.atMs !== endMs
  return [...(hasBefore ? [edge(startMs)] : []), ...inside, ...(hasAfter ? [edge(endMs)] : [])]
}

function startsAt({ startMs }: Piece, own: Stretch): boolean {
  return startMs === own.startMs && startMs > 0
}

/** The piece of the stretch before that shows the same face where both meet; taken out. */
function takeSame(before: Piece[], piece: Piece): Piece | null {
  const here = boxAt(piece, piece.startMs)
  const alike = before.map((each) => ({ each, share: overlap(boxAt(each, each.endMs), here) }))
  const best = alike.toSorted((a, b) => b.share - a.share)[0]
  if (best === undefined || best.share < SAME_FACE) return null
  before.splice(before.indexOf(best.each), 1)
  return best.each
}

function joined(earlier: Piece, later: Piece): Piece {
  const last = earlier.boxes.at(-1)?.atMs ?? -Infinity
  return {
    startMs: earlier.startMs,
    endMs: later.endMs,
    certainty: Math.max(earlier.certainty, later.certainty),
    boxes: [...earlier.boxes, ...later.boxes.filter(({ atMs }) => atMs > last)],
  }
}

/** As few boxes as tell the way of all. */
function simplified(boxes: readonly FaceBox[]): FaceBox[] {
  const kept: FaceBox[] = []
  let from = 0
  while (from < boxes.length) {
    const start = boxes[from]
    if (start === undefined) break
    kept.push(start)
    let to = from + 1
    while (to + 1 < boxes.length && isStraight(boxes, from, to + 1)) to += 1
    from = to
  }
  return kept
}

function isStraight(boxes: readonly FaceBox[], from: number, to: number): boolean {
  const [first, last] = [boxes[from], boxes[to]]
  if (first === undefined || last === undefined) return false
  for (let index = from + 1; index < to; index += 1) {
    const box = boxes[index]
    if (box === undefined) return false
    const straight = boxAt({ boxes: [first, last] }, box.atMs)
    const room = TOLERANCE * Math.min(box.width, box.height)
    for (const side of ['x', 'y', 'width', 'height'] as const)
      if (Math.abs(straight[side] - box[side]) > room) return false
  }
  return true
}

/** A track with more boxes than one may have, as several that follow each other. */
function inParts(piece: Piece): Piece[] {
  const most = FACE_BOUNDS.boxesOfTrack
  if (piece.boxes.length <= most) return [piece]
  const parts: Piece[] = []
  for (let from = 0; from < piece.boxes.length - 1; from += most - 1) {
    const boxes = piece.boxes.slice(from, from + most)
    const isLast = from + most >= piece.boxes.length
    parts.push({
      ...piece,
      boxes,
      startMs: from === 0 ? piece.startMs : (boxes[0]?.atMs ?? piece.startMs),
      endMs: isLast ? piece.endMs : (boxes.at(-1)?.atMs ?? piece.endMs),
    })
  }
  return parts
}

/**
 * Where there are more tracks than may be, the faces of the fullest shots share a box around all of
 * them: more is covered, never less.
 */
function withinBounds(pieces: readonly Piece[], shots: readonly Stretch[]): readonly Piece[] {
  let count = pieces.length
  if (count <= FACE_BOUNDS.tracks) return pieces
  const groups = shots
    .map((shot) => pieces.filter(({ startMs }) => isIn(shot, startMs)))
    .toSorted((a, b) => b.length - a.length)
  return groups.flatMap((group) => {
    // A half is left for tracks that go on in parts.
    if (count <= FACE_BOUNDS.tracks / 2 || group.length < 2) return group
    count -= group.length - 1
    return [crowdOf(group)]
  })
}

function crowdOf(group: readonly Piece[]): Piece {
  const startMs = Math.min(...group.map((each) => each.startMs))
  const endMs = Math.max(...group.map((each) => each.endMs))
  const steps = Math.max(1, Math.ceil((endMs - startMs) / CROWD_STEP_MS))
  const boxes = Array.from({ length: steps + 1 }, (_, index): FaceBox => {
    const atMs = Math.min(endMs, startMs + index * CROWD_STEP_MS)
    const there = group.filter(
      (each) => each.startMs <= atMs + CROWD_STEP_MS && each.endMs >= atMs - CROWD_STEP_MS,
    )
    const near = (there.length === 0 ? group : there).flatMap((each) => [
      ...[atMs - CROWD_STEP_MS, atMs + CROWD_STEP_MS].map((time) => boxAt(each, time)),
      ...each.boxes.filter((box) => Math.abs(box.atMs - atMs) <= CROWD_STEP_MS),
    ])
    return { atMs, ...aroundAll(near) }
  })
  const certainty = Math.min(...group.map((each) => each.certainty))
  return { startMs, endMs, certainty, boxes }
}

function aroundAll(boxes: readonly FaceRectangle[]): FaceRectangle {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Shared area by the area of both. */
function overlap(a: FaceRectangle, b: FaceRectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (a.width * a.height + b.width * b.height - width * height)
}
