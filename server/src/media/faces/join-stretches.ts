import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import {
  FACE_BOUNDS,
  type FaceBox,
  type FaceFinding,
  type FaceRectangle,
  type FaceTrack,
} from '#recipes/face-cover/types.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { firstIndex } from '#recipes/first-index.ts'
import { crowdOf } from './crowd.ts'
import { createTrackWay, type TrackWay } from './track-way.ts'

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

/** A finding while its stretches come, in order. */
export interface FindingJoiner {
  /** False when no finding could hold the faces, whatever comes. */
  add(stretch: StretchFound): boolean
  /** The finding of all, or null when none could hold the faces. Ends the joiner. */
  finding(): FaceFinding | null
}

type Piece = Omit<FaceTrack, 'id'>

/** Raised whenever a search would find something else. */
export const FINDING_VERSION = 3
/** Two pieces that share so much where two stretches meet are one face. */
const SAME_FACE = 0.3
/** Of a crowd where two stretches meet, so many are known again; the others are new tracks. */
const MOST_MEETING = 200
/** Of all tracks together before they are brought within the bounds: 150 MB. */
const MOST_BOXES = 1_000_000

/**
 * Joins what is found in the stretches of a video while it is searched. A stretch costs what was
 * found in it, however much was found before, and only the tracks are kept of it: all stretches of
 * a day take more memory than a process has.
 */
export function createFindingJoiner(durationMs: number): FindingJoiner {
  const shotStarts = [0]
  const tracks = createTracks()
  // A face may begin beyond the end of a stretch, and the cuts there come with the next one.
  let waiting: StretchFound | null = null
  const takeWaiting = (): void => {
    if (waiting !== null) tracks.add(waiting.own, piecesOf(waiting, shotStarts, durationMs))
    waiting = null
  }
  return {
    add: (stretch) => {
      addCuts(shotStarts, stretch, durationMs)
      takeWaiting()
      waiting = stretch
      // Each shot with a face needs one track at least.
      return tracks.byShot.size <= FACE_BOUNDS.tracks && tracks.countBoxes() <= MOST_BOXES
    },
    finding: () => {
      takeWaiting()
      tracks.close()
      const byShot = [...tracks.byShot].toSorted(([a], [b]) => a - b).map(([, shot]) => shot)
      const inBounds = withinBounds(byShot).flatMap(inParts)
      if (inBounds.length > FACE_BOUNDS.tracks || tracks.countBoxes() > MOST_BOXES) return null
      const sorted = inBounds.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
      return {
        version: FINDING_VERSION,
        shots: shotsOf(shotStarts, (shot) => tracks.byShot.has(shot), durationMs),
        tracks: sorted.map((track, index) => ({ id: `face-${index + 1}`, ...track })),
      }
    },
  }
}

/** The first shot begins with the video, each other one with a cut of one of the stretches. */
function addCuts(
  shotStarts: number[],
  { fromMs, own, cuts }: StretchFound,
  durationMs: number,
): void {
  const cutsMs = cuts.map((cut) => fromMs + cut * 1000).filter((atMs) => isIn(own, atMs))
  for (const atMs of cutsMs.map(Math.round).toSorted((a, b) => a - b))
    if (atMs < durationMs && atMs > (shotStarts.at(-1) ?? 0)) shotStarts.push(atMs)
}

/** The number of the shot in which a time lies. */
function shotAt(shotStarts: readonly number[], atMs: number): number {
  return firstIndex(shotStarts, (startMs) => startMs > atMs) - 1
}

/**
 * Where there are more shots than may be, those without a face that follow each other are one:
 * nothing is covered there, and what a person draws there lasts longer, never shorter.
 */
function shotsOf(
  shotStarts: readonly number[],
  hasFace: (shot: number) => boolean,
  durationMs: number,
): Stretch[] {
  const starts =
    shotStarts.length <= FACE_BOUNDS.shots
      ? shotStarts
      : shotStarts.filter((_, shot) => shot === 0 || hasFace(shot) || hasFace(shot - 1))
  return starts.map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? durationMs }))
}

function isIn({ startMs, endMs }: Stretch, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs
}

/** The tracks so far. */
interface Tracks {
  /** By the number of their shot, in the order in which they were found. */
  readonly byShot: ReadonlyMap<number, readonly Piece[]>
  /** @param pieces of a stretch; those at its start go on with tracks that reach it */
  add(own: Stretch, pieces: readonly ShotPiece[]): void
  /** Lets no track go on. */
  close(): void
  countBoxes(): number
}

/** A piece of a track and the number of its shot. */
interface ShotPiece extends Piece {
  readonly shot: number
}

/** A track that may go on in the next stretch; it has its boxes when it ends. */
type OpenTrack = { -readonly [Key in keyof Piece]: Piece[Key] }

function createTracks(): Tracks {
  const byShot = new Map<number, OpenTrack[]>()
  const open = new Map<OpenTrack, TrackWay>()
  let closedBoxes = 0
  const begin = ({ startMs, endMs, certainty, shot }: ShotPiece): OpenTrack => {
    const track = { startMs, endMs, certainty, boxes: [] }
    const others = byShot.get(shot)
    if (others === undefined) byShot.set(shot, [track])
    else others.push(track)
    open.set(track, createTrackWay())
    return track
  }
  const closeThose = (isOver: (track: OpenTrack) => boolean): void => {
    for (const [track, way] of open)
      if (isOver(track)) {
        track.boxes = way.boxes()
        closedBoxes += track.boxes.length
        open.delete(track)
      }
  }
  return {
    byShot,
    add: (own, pieces) => {
      const before = new Map([...open].slice(0, MOST_MEETING))
      for (const piece of pieces) {
        const earlier = startsAt(piece, own) ? takeSame(before, piece) : null
        const track = earlier ?? begin(piece)
        track.endMs = piece.endMs
        track.certainty = Math.max(track.certainty, piece.certainty)
        const way = open.get(track)
        const lastMs = way?.last()?.atMs ?? -Infinity
        for (const box of piece.boxes) if (box.atMs > lastMs) way?.add(box)
      }
      closeThose(({ endMs }) => endMs < own.endMs)
    },
    close: () => closeThose(() => true),
    countBoxes: () => [...open.values()].reduce((sum, way) => sum + way.size(), closedBoxes),
  }
}

/** The paths as pieces of tracks: to the ends of their shots, and no further than the stretch. */
function piecesOf(
  { fromMs, own, times, paths }: StretchFound,
  shotStarts: readonly number[],
  durationMs: number,
): ShotPiece[] {
  const timeMs = (index: number): number => Math.round(fromMs + (times[index] ?? 0) * 1000)
  return paths.flatMap(({ first, boxes, certainty }) => {
    const placed = boxes.map(([x = 0, y = 0, width = 0, height = 0], index): FaceBox => {
      return { atMs: timeMs(first + index), x, y, width, height }
    })
    const [begin, end] = [placed[0]?.atMs ?? 0, placed.at(-1)?.atMs ?? 0]
    const shot = shotAt(shotStarts, begin)
    const [shotStartMs, shotEndMs] = [shotStarts[shot] ?? 0, shotStarts[shot + 1] ?? durationMs]
    const previous = first === 0 ? -Infinity : timeMs(first - 1)
    const next = first + boxes.length >= times.length ? Infinity : timeMs(first + boxes.length)
    const startMs = Math.max(own.startMs, previous < shotStartMs ? shotStartMs : begin)
    const endMs = Math.min(own.endMs, shotEndMs, Math.max(next, end + 1))
    if (startMs >= endMs) return []
    return [{ startMs, endMs, certainty, shot, boxes: clipped(placed, startMs, endMs) }]
  })
}

/** The boxes within a time, with one at each of its ends where there was one beyond. */
function clipped(boxes: readonly FaceBox[], startMs: number, endMs: number): FaceBox[] {
  const inside = boxes.filter(({ atMs }) => atMs >= startMs && atMs <= endMs)
  const edge = (atMs: number): FaceBox => ({ atMs, ...faceBoxAt({ boxes }, atMs) })
  const hasBefore = (boxes[0]?.atMs ?? 0) < startMs && inside[0]?.atMs !== startMs
  const hasAfter = (boxes.at(-1)?.atMs ?? 0) > endMs && inside.at(-1)?.atMs !== endMs
  return [...(hasBefore ? [edge(startMs)] : []), ...inside, ...(hasAfter ? [edge(endMs)] : [])]
}

function startsAt({ startMs }: Piece, own: Stretch): boolean {
  return startMs === own.startMs && startMs > 0
}

/** The track of the stretch before that shows the same face where both meet; taken out. */
function takeSame(before: Map<OpenTrack, TrackWay>, piece: Piece): OpenTrack | null {
  const here = faceBoxAt(piece, piece.startMs)
  let best: { readonly track: OpenTrack; readonly share: number } | null = null
  for (const [track, way] of before) {
    const there = way.last()
    const share = there === undefined ? 0 : overlap(there, here)
    if (share >= SAME_FACE && share > (best?.share ?? 0)) best = { track, share }
  }
  if (best !== null) before.delete(best.track)
  return best?.track ?? null
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

/** Where there are more tracks than may be, those of the fullest shots become one each. */
function withinBounds(byShot: readonly (readonly Piece[])[]): readonly Piece[] {
  let count = byShot.reduce((sum, shot) => sum + shot.length, 0)
  if (count <= FACE_BOUNDS.tracks) return byShot.flat()
  const fullest = byShot.toSorted((a, b) => b.length - a.length)
  return fullest.flatMap((shot) => {
    // A half is left for tracks that go on in parts.
    if (count <= FACE_BOUNDS.tracks / 2 || shot.length < 2) return shot
    count -= shot.length - 1
    return [crowdOf(shot)]
  })
}

/** Shared area by the area of both. */
function overlap(a: FaceRectangle, b: FaceRectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (a.width * a.height + b.width * b.height - width * height)
}
