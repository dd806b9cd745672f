import { framesIn } from '#recipes/passage-steps.ts'
import type { PieceShape } from '#recipes/passage-steps.ts'
import type { Beats, SourceProbe } from '#recipes/types.ts'

/** The trailer itself, without what stands before and after it. */
export const TRAILER_MS = 60_000
const CUTS = 18
/** The first passages tell the story, the last show action: each is shorter than the one before. */
const LONGEST = 1.7
const SHORTEST = 0.5
/** A cut of fewer frames would be a flash. */
export const MIN_CUT_MS = 600

type Rate = Pick<PieceShape, 'frameRate'>

/**
 * The lengths of the passages in frames, in order; together 60 s, or the whole source where it is
 * shorter. With beats each cut lies on the frame nearest to one, half a frame away at most.
 */
export function trailerCuts(
  source: Pick<SourceProbe, 'durationMs'>,
  beats: Beats | null,
  rate: Rate,
): readonly number[] {
  // With little to choose from, few long passages are better than a forced cut.
  const ratio = source.durationMs / TRAILER_MS
  const count = ratio < 1.02 ? 1 : ratio < 1.4 ? 6 : ratio < 2.5 ? 10 : CUTS
  return cutsOf(count, Math.min(TRAILER_MS, source.durationMs), beats, rate)
}

/** More cuts of the same, for a source in which those of `trailerCuts` would show black. */
export function finerCuts(
  source: Pick<SourceProbe, 'durationMs'>,
  beats: Beats | null,
  rate: Rate,
): readonly (readonly number[])[] {
  const lengthMs = Math.min(TRAILER_MS, source.durationMs)
  return [CUTS, 2 * CUTS].map((count) => cutsOf(count, lengthMs, beats, rate))
}

function cutsOf(
  count: number,
  lengthMs: number,
  beats: Beats | null,
  rate: Rate,
): readonly number[] {
  const total = framesIn(lengthMs, rate)
  if (count === 1) return [total]
  const weights = Array.from(
    { length: count },
    (_, index) => LONGEST + ((SHORTEST - LONGEST) * index) / (count - 1),
  )
  const sum = weights.reduce((all, each) => all + each, 0)
  let atMs = 0
  const edges = [0]
  for (const weight of weights.slice(0, -1)) {
    atMs += (weight / sum) * lengthMs
    const snapped = beats === null ? atMs : nearestBeatMs(atMs, beats)
    const frame = framesIn(Math.max(1, snapped), rate)
    const last = edges.at(-1) ?? 0
    const least = framesIn(MIN_CUT_MS, rate)
    if (frame - last >= least && total - frame >= least) edges.push(frame)
  }
  return edges.map((frame, index) => (edges[index + 1] ?? total) - frame)
}

/** The beat of the music, which starts with the trailer itself, nearest to a time. */
function nearestBeatMs(atMs: number, { perMinute, firstMs }: Beats): number {
  const beatMs = 60_000 / perMinute
  return firstMs + Math.max(0, Math.round((atMs - firstMs) / beatMs)) * beatMs
}
