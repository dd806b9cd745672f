import { firstIndex } from '#recipes/first-index.ts'
import type { Cover, FaceFinding, FaceRectangle, FaceReview, FaceTrack } from './types.ts'
import type { Stretch } from '#recipes/stretch.ts'

/** What a video's edit covers after its review. */
export function coverOf({ tracks }: Pick<FaceFinding, 'tracks'>, review: FaceReview): Cover {
  const visible = new Set(review.uncovered)
  return {
    tracks: [...tracks.filter(({ id }) => !visible.has(id)), ...review.added],
    wholly: merged(review.wholly),
  }
}

/**
 * What is covered at a time: the boxes of all tracks that are there, or the whole picture alone.
 */
export function boxesAt(cover: Cover, atMs: number): readonly FaceRectangle[] {
  if (cover.wholly.some((stretch) => isIn(stretch, atMs))) return [WHOLE_PICTURE]
  return cover.tracks.filter((track) => isIn(track, atMs)).map((track) => faceBoxAt(track, atMs))
}

/** Where a track's box is at a time, which may lie outside of the track. */
export function faceBoxAt({ boxes }: Pick<FaceTrack, 'boxes'>, atMs: number): FaceRectangle {
  const next = firstIndex(boxes, (box) => box.atMs > atMs)
  const [before, after] = [boxes[next - 1], boxes[next]]
  const either = before ?? after
  if (either === undefined) throw new Error('A track has no box')
  if (before === undefined || after === undefined) return rectangleOf(either)
  const share = (atMs - before.atMs) / (after.atMs - before.atMs)
  const between = (from: number, to: number): number => from + (to - from) * share
  return {
    x: between(before.x, after.x),
    y: between(before.y, after.y),
    width: between(before.width, after.width),
    height: between(before.height, after.height),
  }
}

const WHOLE_PICTURE: FaceRectangle = { x: 0, y: 0, width: 1, height: 1 }

function rectangleOf({ x, y, width, height }: FaceRectangle): FaceRectangle {
  return { x, y, width, height }
}

function isIn({ startMs, endMs }: Stretch, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs
}

/** The same time as few stretches in order. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const whole: Stretch[] = []
  for (const { startMs, endMs } of stretches.toSorted((x, y) => x.startMs - y.startMs)) {
    const last = whole.at(-1)
    if (last === undefined || last.endMs < startMs) whole.push({ startMs, endMs })
    else whole[whole.length - 1] = { ...last, endMs: Math.max(last.endMs, endMs) }
  }
  return whole
}
