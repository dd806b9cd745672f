import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceBox, FaceRectangle } from '#recipes/face-cover/types.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { FaceDecisions, ServedFaceReview } from './use-face-review.ts'

/** A face as the search found it. */
export type FoundTrack = NonNullable<ServedFaceReview['finding']>['tracks'][number]
/** A box that a person drew, from where it begins to where it ends. */
export type DrawnTrack = FaceDecisions['added'][number]

/** The faces that begin in one shot, those that the search is least sure of first. */
export interface ShotFaces {
  readonly shot: Stretch
  readonly tracks: readonly FoundTrack[]
}

/** Below this, the search is not sure that it saw a face. */
const SURE = 0.6
/** A picture at 25 a second: nearer changes mean the same picture. */
const SAME_PICTURE_MS = 40
/** The contract takes no more of one track. */
const MOST_BOXES = 40
/** The smallest box, as a share of the picture. */
const SMALLEST = 0.01

/** Whether the search is sure that a track is a face. */
export function isSure({ certainty }: Pick<FoundTrack, 'certainty'>): boolean {
  return certainty >= SURE
}

/** Shots with faces, the one with the least certain face first. */
export function shotsToReview(
  finding: NonNullable<ServedFaceReview['finding']>,
): readonly ShotFaces[] {
  const shots = finding.shots.map((shot) => ({
    shot,
    tracks: finding.tracks
      .filter(({ startMs }) => shot.startMs <= startMs && startMs < shot.endMs)
      .toSorted((a, b) => a.certainty - b.certainty || a.startMs - b.startMs),
  }))
  return shots
    .filter(({ tracks }) => tracks.length > 0)
    .toSorted((a, b) => leastOf(a) - leastOf(b) || a.shot.startMs - b.shot.startMs)
}

function leastOf({ tracks }: ShotFaces): number {
  return tracks[0]?.certainty ?? 1
}

/** Whether a time lies in a stretch. */
export function isIn({ startMs, endMs }: Stretch, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs
}

/** The shot in which a time lies, or all of the video. */
export function shotAt(
  { finding, durationMs }: Pick<ServedFaceReview, 'finding' | 'durationMs'>,
  atMs: number,
): Stretch {
  return (
    finding?.shots.find((shot) => isIn(shot, atMs)) ?? {
      startMs: 0,
      endMs: Math.max(1, durationMs),
    }
  )
}

/** Whether nothing differs from what the search proposes. */
export function isUndecided({ uncovered, added, wholly }: FaceDecisions): boolean {
  return uncovered.length + added.length + wholly.length === 0
}

/** What a person added to what the search proposes; empty when that is nothing. */
export function byHandWords({ added, wholly }: FaceDecisions): string {
  const [boxes, stretches] = [added.length, wholly.length]
  const parts = [
    ...(boxes === 0 ? [] : [`${boxes} ${boxes === 1 ? 'box' : 'boxes'}`]),
    ...(stretches === 0 ? [] : [`${stretches} whole ${stretches === 1 ? 'stretch' : 'stretches'}`]),
  ]
  return parts.length === 0 ? '' : `By hand: ${parts.join(', ')}.`
}

/** A face is covered, or stays visible. */
export function withCovered(
  decisions: FaceDecisions,
  trackId: string,
  isCovered: boolean,
): FaceDecisions {
  const others = decisions.uncovered.filter((id) => id !== trackId)
  return { ...decisions, uncovered: isCovered ? others : [...others, trackId] }
}

/** Every face that was found is covered, or every one stays visible. */
export function withAllCovered(
  decisions: FaceDecisions,
  tracks: readonly FoundTrack[],
  isCovered: boolean,
): FaceDecisions {
  return { ...decisions, uncovered: isCovered ? [] : tracks.map(({ id }) => id) }
}

/** A new box: in the middle, as large as a face often is. */
const NEW_BOX = { x: 0.4, y: 0.3, width: 0.2, height: 0.3 }
/** By so much the next one is beside it, as a share of the picture, and so often until the edge. */
const BESIDE = 0.06
const MOST_BESIDE = 6

/** A new box at a time, beside those that are still in the middle. */
export function newBoxAt({ added }: FaceDecisions, atMs: number): FaceBox {
  const drawn = added.filter((track) => isIn(track, atMs)).map((track) => faceBoxAt(track, atMs))
  const places = Array.from({ length: MOST_BESIDE + 1 }, (_, index) => ({
    ...NEW_BOX,
    x: NEW_BOX.x + index * BESIDE,
    y: NEW_BOX.y + index * BESIDE,
  }))
  const isFree = ({ x, y }: FaceRectangle): boolean =>
    drawn.every((box) => Math.hypot(box.x - x, box.y - y) > BESIDE / 2)
  return { ...(places.find(isFree) ?? NEW_BOX), atMs }
}

/** A new box at a time, to the end of its shot. */
export function withBox(
  decisions: FaceDecisions,
  box: { readonly id: string; readonly box: FaceBox; readonly shot: Stretch },
): FaceDecisions {
  const { endMs } = box.shot
  const startMs = Math.min(box.box.atMs, endMs - 1)
  const track: DrawnTrack = {
    id: box.id,
    startMs,
    endMs,
    boxes: [{ ...inPicture(box.box), atMs: startMs }],
    certainty: 1,
  }
  return { ...decisions, added: [...decisions.added, track] }
}

/** The box is elsewhere at a time; between two times it moves. */
export function withMovedBox(
  decisions: FaceDecisions,
  trackId: string,
  { atMs, ...to }: FaceBox,
): FaceDecisions {
  return changed(decisions, trackId, (track) => {
    const others = track.boxes.filter((box) => Math.abs(box.atMs - atMs) > SAME_PICTURE_MS)
    const kept = others.length < MOST_BOXES ? others : others.slice(1)
    const boxes = [...kept, { ...inPicture(to), atMs }].toSorted((a, b) => a.atMs - b.atMs)
    return { ...track, boxes }
  })
}

/** The box begins or ends at a time. */
export function withBoxEnd(
  decisions: FaceDecisions,
  trackId: string,
  end: Partial<Stretch>,
): FaceDecisions {
  return changed(decisions, trackId, (track) => {
    const { startMs, endMs } = { ...track, ...end }
    if (endMs <= startMs) return track
    const within = track.boxes.filter(({ atMs }) => startMs <= atMs && atMs <= endMs)
    const boxes = within.length > 0 ? within : [{ ...faceBoxAt(track, startMs), atMs: startMs }]
    return { ...track, startMs, endMs, boxes }
  })
}

/** The box is gone. */
export function withoutBox(decisions: FaceDecisions, trackId: string): FaceDecisions {
  return { ...decisions, added: decisions.added.filter(({ id }) => id !== trackId) }
}

/** In a stretch the whole picture is covered, or not any more. */
export function withWhole(
  decisions: FaceDecisions,
  stretch: Stretch,
  isWhole: boolean,
): FaceDecisions {
  const others = decisions.wholly.filter((one) => !isSameStretch(one, stretch))
  const { startMs, endMs } = stretch
  return {
    ...decisions,
    wholly: (isWhole ? [...others, { startMs, endMs }] : others).toSorted(
      (a, b) => a.startMs - b.startMs,
    ),
  }
}

/** Whether the whole picture is covered in exactly this stretch. */
export function isWhollyCovered({ wholly }: FaceDecisions, stretch: Stretch): boolean {
  return wholly.some((one) => isSameStretch(one, stretch))
}

function isSameStretch(some: Stretch, other: Stretch): boolean {
  return some.startMs === other.startMs && some.endMs === other.endMs
}

function changed(
  decisions: FaceDecisions,
  trackId: string,
  to: (track: DrawnTrack) => DrawnTrack,
): FaceDecisions {
  return {
    ...decisions,
    added: decisions.added.map((track) => (track.id === trackId ? to(track) : track)),
  }
}

/** The rectangle moved and shrunk into the picture. */
export function inPicture({ x, y, width, height }: FaceRectangle): FaceRectangle {
  const [w, h] = [clamp(width, SMALLEST, 1), clamp(height, SMALLEST, 1)]
  return { x: clamp(x, 0, 1 - w), y: clamp(y, 0, 1 - h), width: w, height: h }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
