import type { Moment } from './types.ts'

/**
 * The most starts that are weighed: more would take longer than a source with so many stretches
 * needs.
 */
const MOST = 4000

/**
 * Where passages of these lengths begin when they stand side by side from either end of a stretch
 * without black and titles: so the rest that no passage shows is as short as it can be.
 */
export function startsBeside(
  moments: readonly Moment[],
  durationsMs: readonly number[],
): readonly number[] {
  const starts = new Set<number>()
  for (const { fromMs, toMs } of stretchesBetween(moments))
    for (const first of durationsMs.keys()) {
      if (starts.size > MOST) return [...starts]
      let startMs = Math.ceil(fromMs)
      for (const durationMs of durationsMs.slice(first)) {
        if (startMs + durationMs > toMs) break
        starts.add(startMs)
        startMs = Math.ceil(startMs + durationMs)
      }
      let endMs = toMs
      for (const durationMs of durationsMs.slice(0, first + 1).toReversed()) {
        endMs = Math.floor(endMs - durationMs)
        if (endMs < fromMs) break
        starts.add(endMs)
      }
    }
  return [...starts]
}

/** The stretches without black and titles, in order of time. */
function stretchesBetween(
  moments: readonly Moment[],
): readonly { readonly fromMs: number; readonly toMs: number }[] {
  const found: { fromMs: number; toMs: number }[] = []
  let open: { fromMs: number; toMs: number } | null = null
  for (const { atMs, lengthMs, shows } of moments) {
    if (shows === 'black' || shows === 'title') open = null
    else if (open === null) found.push((open = { fromMs: atMs, toMs: atMs + lengthMs }))
    else open.toMs = atMs + lengthMs
  }
  return found
}
