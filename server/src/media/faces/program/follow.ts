import type { Rectangle } from './rectangle.ts'

/** Brightness of each pixel, row by row. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

/** Where something went between two pictures; `likeness` -1..1 says how sure that is. */
interface Followed extends Rectangle {
  readonly likeness: number
}

/** What is compared of a box: so many points each way, whatever its size. */
const POINTS = 14
/** How far a box may go between two pictures, by its own size, and in how many steps each way. */
const REACH = { steps: 7, near: 0.7, far: 1.8 }
/** What likeness the way of one side is worth: on an even wall every place is like the next. */
const NEARNESS = 0.04
/** Below the first likeness a face is looked for further away, and taken from the second on. */
const UNLIKE = 0.55
const ALIKE = 0.75
const SCALES = [1, 0.95, 1.05] as const

/** Finds what a box shows in the picture before or after, from a guess of where it went. */
export function follow(
  from: GreyPicture,
  to: GreyPicture,
  box: Rectangle,
  guess: Rectangle,
): Followed {
  const wanted = evened(pointsOf(from, box))
  const side = Math.max(box.width, box.height)
  let best: Followed = { ...guess, likeness: -1 }
  let bestWorth = -Infinity
  const tryAt = (x: number, y: number, scale: number): void => {
    const width = box.width * scale
    const height = box.height * scale
    const place = { x: x - (width - guess.width) / 2, y: y - (height - guess.height) / 2 }
    const candidate = { ...place, width, height }
    const likeness = product(wanted, evened(pointsOf(to, candidate)))
    const worth = likeness - NEARNESS * (Math.hypot(x - guess.x, y - guess.y) / side)
    if (worth <= bestWorth) return
    best = { ...candidate, likeness }
    bestWorth = worth
  }
  const search = (reach: number): void => {
    const step = (reach * side) / REACH.steps
    for (let down = -REACH.steps; down <= REACH.steps; down += 1)
      for (let right = -REACH.steps; right <= REACH.steps; right += 1)
        tryAt(guess.x + right * step, guess.y + down * step, 1)
    for (let finer = step / 2; finer > 0.4; finer /= 2) {
      const { x, y, width, height } = best
      const [left, top] = [x + (width - guess.width) / 2, y + (height - guess.height) / 2]
      for (const scale of SCALES)
        for (const down of [-finer, 0, finer])
          for (const right of [-finer, 0, finer]) tryAt(left + right, top + down, scale)
    }
  }
  search(REACH.near)
  const near = best
  if (near.likeness >= UNLIKE) return near
  search(REACH.far)
  return best.likeness >= ALIKE ? best : near
}

/** The brightness at evenly spaced points of a box. */
function pointsOf({ width, height, grey }: GreyPicture, box: Rectangle): Float32Array {
  const points = new Float32Array(POINTS * POINTS)
  for (let row = 0; row < POINTS; row += 1) {
    const y = Math.round(box.y + ((row + 0.5) * box.height) / POINTS)
    const line = Math.min(height - 1, Math.max(0, y)) * width
    for (let column = 0; column < POINTS; column += 1) {
      const x = Math.round(box.x + ((column + 0.5) * box.width) / POINTS)
      points[row * POINTS + column] = grey[line + Math.min(width - 1, Math.max(0, x))] ?? 0
    }
  }
  return points
}

/** The same with mean 0 and length 1, so that brightness and contrast do not count. */
function evened(points: Float32Array): Float32Array {
  let sum = 0
  for (const value of points) sum += value
  const mean = sum / points.length
  let squares = 0
  for (let index = 0; index < points.length; index += 1) {
    const value = (points[index] ?? 0) - mean
    points[index] = value
    squares += value * value
  }
  const length = Math.sqrt(squares) || 1
  for (let index = 0; index < points.length; index += 1)
    points[index] = (points[index] ?? 0) / length
  return points
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}
