import type { Stretch } from '#recipes/stretch.ts'
import { createRhythm } from './picture-rhythm.ts'

/** What the pictures within the stretches of an excerpt say, as those of the whole video would. */
interface ExcerptMeasure {
  /** Pictures a second on average. */
  readonly frameRate: number
  /** The same where they follow each other evenly; null where fewer than half of them do. */
  readonly evenRate: number | null
  /** The longest that a stretch goes without another picture, counted from its key frame. */
  readonly longestStayMs: number
  /** Of the stored pictures. */
  readonly bitsPerSecond: number
}

/** A picture of the stream, by the clock of the file. */
interface PacketTime {
  readonly atS: number
  readonly bytes: number
  readonly isKey: boolean
}

/**
 * Half a day at 48 a second, in 100 MB at most. Their bytes may be few, so that the size of a file
 * is no bound.
 */
const MOST_PICTURES = 2_000_000
/** A stretch begins at a whole millisecond, and some say the picture that it shows first. */
const KEY_LATE_S = 0.05

/** Collects the pictures of an excerpt. */
export interface ExcerptClock {
  add(picture: PacketTime): void
  /**
   * Null where the stretches have no two pictures, or the file has more than any video.
   * @param zeroS where the times of the stretches count from, by the clock of the file
   */
  read(stretches: readonly Stretch[], zeroS: number): ExcerptMeasure | null
}

export function createExcerptClock(): ExcerptClock {
  const pictures: PacketTime[] = []
  return {
    add: (picture) => {
      if (pictures.length <= MOST_PICTURES) pictures.push(picture)
    },
    read: (stretches, zeroS) =>
      pictures.length > MOST_PICTURES
        ? null
        : measureStretches(
            pictures.toSorted((a, b) => a.atS - b.atS),
            stretches.map(({ startMs, endMs }) => ({
              startS: zeroS + startMs / 1000,
              endS: zeroS + endMs / 1000,
            })),
          ),
  }
}

interface Span {
  readonly startS: number
  readonly endS: number
}

/**
 * A picture in a hole is shown until the next stretch begins, which says nothing of the video: only
 * times between two pictures of one stretch count. Each stretch is followed from the key frame that
 * it is decoded from, so that one that is not there shows as a picture that stays.
 */
function measureStretches(
  pictures: readonly PacketTime[],
  stretches: readonly Span[],
): ExcerptMeasure | null {
  const rhythm = createRhythm()
  const sum = { steps: 0, stepsS: 0, bytes: 0, lengthS: 0, longestS: 0 }
  const keys = pictures.filter(({ isKey }) => isKey)
  let beforeEndS = -Infinity
  for (const { startS, endS } of stretches) {
    const keyS = keys[countUpTo(keys, startS + KEY_LATE_S) - 1]?.atS ?? startS
    const fromS = Math.max(beforeEndS, Math.min(startS, keyS))
    beforeEndS = endS
    const own = pictures.slice(countUpTo(pictures, fromS - 1e-6), countUpTo(pictures, endS))
    let beforeS = fromS
    for (const { atS, bytes } of own) {
      sum.longestS = Math.max(sum.longestS, atS - beforeS)
      sum.bytes += bytes
      rhythm.add(atS)
      beforeS = atS
    }
    sum.longestS = Math.max(sum.longestS, endS - beforeS)
    sum.lengthS += endS - fromS
    sum.steps += Math.max(0, own.length - 1)
    sum.stepsS += (own.at(-1)?.atS ?? 0) - (own[0]?.atS ?? 0)
  }
  if (sum.steps === 0 || sum.stepsS <= 0) return null
  return {
    frameRate: Math.round((sum.steps / sum.stepsS) * 1000) / 1000,
    evenRate: rhythm.read().evenRate,
    longestStayMs: Math.round(sum.longestS * 1000),
    bitsPerSecond: (sum.bytes * 8) / sum.lengthS,
  }
}

/** How many of these pictures, which are in order, begin at or before a time. */
function countUpTo(pictures: readonly PacketTime[], atS: number): number {
  let [low, high] = [0, pictures.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pictures[middle]?.atS ?? Infinity) <= atS) low = middle + 1
    else high = middle
  }
  return low
}
