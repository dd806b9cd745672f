import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceBox, FaceRectangle, FaceTrack } from '#recipes/face-cover/types.ts'

/** How often a box around all faces of a shot is set. */
const STEP_MS = 250

/**
 * One track around all of these, which covers more and never less; where none of them is, it is
 * around the places of all. What it costs grows with the length of all of them together.
 */
export function crowdOf(tracks: readonly Omit<FaceTrack, 'id'>[]): Omit<FaceTrack, 'id'> {
  const startMs = leastOf(tracks.map((each) => each.startMs))
  const endMs = -leastOf(tracks.map((each) => -each.endMs))
  const steps = Math.max(1, Math.ceil((endMs - startMs) / STEP_MS))
  const timeOf = (step: number): number => Math.min(endMs, startMs + step * STEP_MS)
  const around = createSides(steps + 1)
  /** Steps no further than one from a stretch of time. */
  const widen = (
    fromMs: number,
    toMs: number,
    boxAround: (atMs: number) => FaceRectangle,
  ): void => {
    const first = Math.max(0, Math.ceil((fromMs - startMs) / STEP_MS) - 1)
    for (let step = first; step <= steps && timeOf(step) - STEP_MS <= toMs; step += 1)
      around.widen(step, boxAround(timeOf(step)))
  }
  const all = createSides(1)
  for (const track of tracks) {
    for (const asideMs of [-STEP_MS, STEP_MS])
      widen(track.startMs, track.endMs, (atMs) => faceBoxAt(track, atMs + asideMs))
    for (const box of track.boxes) {
      widen(box.atMs, box.atMs, () => box)
      all.widen(0, box)
    }
  }
  const boxes = Array.from({ length: steps + 1 }, (_, step): FaceBox => {
    const box = around.at(step) ?? all.at(0)
    if (box === null) throw new Error('A crowd has no box')
    return { atMs: timeOf(step), ...box }
  })
  return { startMs, endMs, certainty: leastOf(tracks.map((each) => each.certainty)), boxes }
}

/** So many rectangles, each of which begins as none: a shot of a day has 350,000. */
function createSides(count: number): {
  /** Lets a rectangle hold this one too. */
  widen(index: number, box: FaceRectangle): void
  at(index: number): FaceRectangle | null
} {
  // Left, top, and the opposite of right and bottom.
  const sides = new Float64Array(count * 4).fill(Infinity)
  return {
    widen: (index, { x, y, width, height }) => {
      for (const [side, value] of [x, y, -x - width, -y - height].entries())
        sides[index * 4 + side] = Math.min(sides[index * 4 + side] ?? Infinity, value)
    },
    at: (index) => {
      const [x = 0, y = 0, right = 0, bottom = 0] = sides.subarray(index * 4, index * 4 + 4)
      return x === Infinity ? null : { x, y, width: -right - x, height: -bottom - y }
    },
  }
}

/** Not by `Math.min(...)`, which takes no list of a hundred thousand. */
function leastOf(values: readonly number[]): number {
  return values.reduce((least, each) => Math.min(least, each), Infinity)
}
