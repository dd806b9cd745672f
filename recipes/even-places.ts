import { lengthOf, type MomentRule } from './moment-choice.ts'
import type { Stretch } from './stretch.ts'

/** Enough to take others from: each picture is a decode on the device of a creator. */
const MOST_OTHERS = 18
/** Nearer stills would show the same. */
const APART_MS = 700

/**
 * Where pictures of a source are taken that was not searched, in order: in the middle of each
 * moment that the edit shows by itself, and evenly spread between them, so far apart that no two
 * moments around them overlap.
 */
export function evenPlaces(
  sourceDurationMs: number,
  { slots }: MomentRule,
  shown: readonly Stretch[],
): readonly number[] {
  const lengths = [...shown.map(lengthOf), ...(slots ?? []).map(({ lengthMs }) => lengthMs)]
  // Each moment begins at a whole millisecond, which may bring two of them nearer.
  const apartMs = Math.max(APART_MS, ...lengths) + 2
  const places = [...new Set(shown.map(middleOf))].toSorted((a, b) => a - b)
  const earliestMs = Math.max(0, ...(slots ?? []).map((slot) => slot.earliestMs))
  const gaps = gapsBetween(places, apartMs, { startMs: earliestMs, endMs: sourceDurationMs })
  const togetherMs = gaps.reduce((sum, gap) => sum + lengthOf(gap), 0)
  const others: number[] = []
  let beforeMs = 0
  for (const gap of gaps) {
    const due = ((beforeMs + lengthOf(gap)) * MOST_OTHERS) / togetherMs
    const count = Math.min(Math.floor(lengthOf(gap) / apartMs), Math.floor(due) - others.length)
    beforeMs += lengthOf(gap)
    for (let at = 0; at < count; at += 1)
      others.push(Math.floor(gap.startMs + ((at + 0.5) * lengthOf(gap)) / count))
  }
  return [...places, ...others].toSorted((a, b) => a - b)
}

/** The place of the picture of a stretch; of a still, itself. */
export function middleOf({ startMs, endMs }: Stretch): number {
  return Math.floor((startMs + endMs) / 2)
}

/** The gaps between the moments around these places in which one more moment fits. */
function gapsBetween(
  places: readonly number[],
  apartMs: number,
  { startMs, endMs }: Stretch,
): readonly Stretch[] {
  const starts = [startMs, ...places.map((place) => place + apartMs / 2)]
  const ends = [...places.map((place) => place - apartMs / 2), endMs]
  return starts
    .map((start, index) => ({ startMs: Math.max(startMs, start), endMs: ends[index] ?? endMs }))
    .filter((gap) => lengthOf(gap) >= apartMs)
}
