/** Fewer intervals than this are not a rate. */
const MIN_INTERVALS = 6
/**
 * Frames at the ends of a sample may have neighbours outside of it (frames are stored out of
 * order).
 */
const REORDERED = 4

/**
 * Frames a second, by the mean of all usual intervals: rounding of timestamps to milliseconds evens
 * out, dropped frames do not count. Null for too few.
 */
export function rateOf(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b)
  const inner = sorted.length > 4 * REORDERED ? sorted.slice(REORDERED, -REORDERED) : sorted
  const intervals = inner
    .slice(1)
    .map((time, index) => time - (inner[index] ?? time))
    .filter((interval) => interval > 0)
    .toSorted((a, b) => a - b)
  if (intervals.length < MIN_INTERVALS) return null
  const usual = intervals[Math.floor(intervals.length / 2)] ?? 0
  const alike = intervals.filter((interval) => Math.abs(interval - usual) < usual / 2)
  return alike.length / alike.reduce((sum, interval) => sum + interval, 0)
}

/** Lowest and highest of several rates; null without any. */
export function spanOfRates(
  rates: readonly (number | null)[],
): { readonly lowest: number; readonly highest: number } | null {
  const known = rates.filter((rate) => rate !== null)
  return known.length === 0 ? null : { lowest: Math.min(...known), highest: Math.max(...known) }
}
