import type { FaceBox } from '#recipes/face-cover/types.ts'

/**
 * The way of a face while its boxes come one by one, told by as few of them as tell it: a day of a
 * face that rests takes two, and each box is looked at once.
 */
export interface TrackWay {
  /** @param box not earlier than the one before */
  add(box: FaceBox): void
  /** The box that came last. */
  last(): FaceBox | undefined
  /** As few boxes as tell the way of all, and how many they are. */
  boxes(): FaceBox[]
  size(): number
}

/** A box so near to the straight line between its neighbours, by its size, is left out. */
const TOLERANCE = 0.04
const SIDES = ['x', 'y', 'width', 'height'] as const

/** How fast one side may change from the last kept box on, so that it passes all boxes since. */
interface Speeds {
  readonly side: (typeof SIDES)[number]
  readonly from: number
  readonly to: number
}
const ANY: readonly Speeds[] = SIDES.map((side) => ({ side, from: -Infinity, to: Infinity }))

/** Makes a way without boxes. */
export function createTrackWay(): TrackWay {
  const kept: FaceBox[] = []
  let [newest, speeds]: [FaceBox | undefined, readonly Speeds[]] = [undefined, ANY]
  return {
    add: (box) => {
      const start = kept.at(-1)
      if (start === undefined) {
        kept.push(box)
        return
      }
      const past = newest
      newest = box
      if (past === undefined) return
      speeds = speeds.map((each) => narrowed(each, start, past))
      if (speeds.every((each) => isWithin(each, start, box))) return
      kept.push(past)
      speeds = ANY
    },
    last: () => newest ?? kept.at(-1),
    boxes: () => (newest === undefined ? [...kept] : [...kept, newest]),
    size: () => kept.length + (newest === undefined ? 0 : 1),
  }
}

function narrowed({ side, from, to }: Speeds, start: FaceBox, box: FaceBox): Speeds {
  const room = TOLERANCE * Math.min(box.width, box.height)
  const afterMs = box.atMs - start.atMs
  return {
    side,
    from: Math.max(from, (box[side] - room - start[side]) / afterMs),
    to: Math.min(to, (box[side] + room - start[side]) / afterMs),
  }
}

function isWithin({ side, from, to }: Speeds, start: FaceBox, box: FaceBox): boolean {
  const speed = (box[side] - start[side]) / (box.atMs - start.atMs)
  return from <= speed && speed <= to
}
