import type { Passage } from './passage-worth.ts'

/**
 * The passages in order of time whose worth together is the highest, at least `gapMs` apart. There
 * is an answer when the even passages are that far apart.
 * @param starts in order of time; of a day of video there are a hundred thousand
 * @param worths what each of the passages is worth at each of the starts
 */
export function bestOrder(
  starts: Float64Array,
  even: readonly Passage[],
  gapMs: number,
  worths: readonly Float64Array[],
): readonly Passage[] {
  const endMs = Math.max(...even.map(endOf), starts.at(-1) ?? 0)
  // Of each passage and start: the best sum with it there, and where the one before it then is.
  const sums: Float64Array[] = []
  const origins: Int32Array[] = []
  for (const [index, { durationMs }] of even.entries()) {
    const before = sums[index - 1]
    const worth = worths[index] ?? new Float64Array(starts.length)
    const reach = (even[index - 1]?.durationMs ?? 0) + gapMs
    const own = new Float64Array(starts.length).fill(-Infinity)
    const origin = new Int32Array(starts.length).fill(-1)
    let next = 0
    let bestBefore = -1
    let sumBefore = 0
    // No iterator and no call: these are most of what a choice of passages costs.
    for (let at = 0; at < starts.length; at += 1) {
      const startMs = starts[at] ?? 0
      if (before !== undefined) {
        for (; next < at && (starts[next] ?? 0) + reach <= startMs + 0.5; next += 1) {
          const sum = before[next] ?? 0
          if (bestBefore >= 0 && sum <= sumBefore) continue
          bestBefore = next
          sumBefore = sum
        }
        if (bestBefore < 0) continue
      }
      if (startMs + durationMs > endMs) break
      own[at] = sumBefore + (worth[at] ?? 0)
      origin[at] = bestBefore
    }
    sums.push(own)
    origins.push(origin)
  }
  return followed(starts, even, sums, origins) ?? even
}

/** Back from the best last passage; null where the passages do not fit. */
function followed(
  starts: Float64Array,
  even: readonly Passage[],
  sums: readonly Float64Array[],
  origins: readonly Int32Array[],
): readonly Passage[] | null {
  const last = sums.at(-1) ?? new Float64Array()
  const top = last.reduce((best, sum, at) => (sum > (last[best] ?? 0) ? at : best), 0)
  if ((last[top] ?? -Infinity) === -Infinity) return null
  const places = even.map(() => top)
  for (let index = even.length - 1; index > 0; index -= 1)
    places[index - 1] = origins[index]?.[places[index] ?? 0] ?? 0
  return even.map(({ durationMs }, index) => ({
    startMs: starts[places[index] ?? 0] ?? 0,
    durationMs,
  }))
}

function endOf({ startMs, durationMs }: Passage): number {
  return startMs + durationMs
}
