import { meanOf, quantile, rounded } from './analysis-numbers.ts'
import { BUCKET_MS, type PacketSurvey } from './analysis-packets.ts'
import { firstIndex } from './first-index.ts'
import type { Moment } from './types.ts'

/** The longest stretch of which only the packets are known. */
const LONGEST_UNSEEN_MS = 5000
/** Shorter holes are those of cuts. */
const SHORTEST_UNSEEN_MS = 1000

/** Packets of black and of titles are smaller than this share of the usual ones. */
const EMPTY_BELOW = 0.1
/** From this share of such packets on a stretch is worth nothing. */
const EMPTY_SHARE = 0.2

/** The stretches between the looks, each worth what the size of its packets is among all. */
export function unseenBetween(
  seen: readonly Moment[],
  { sizes }: PacketSurvey,
  durationMs: number,
): readonly Moment[] {
  const known = sizes.filter((size) => size > 0).toSorted((a, b) => a - b)
  const emptyBelow = EMPTY_BELOW * quantile(known, 0.5)
  const holes = [...seen, { atMs: durationMs, lengthMs: 0 }].map(({ atMs }, index) => {
    const before = seen[index - 1]
    return { fromMs: before === undefined ? 0 : before.atMs + before.lengthMs, toMs: atMs }
  })
  return holes
    .filter(({ fromMs, toMs }) => toMs - fromMs >= SHORTEST_UNSEEN_MS)
    .flatMap(({ fromMs, toMs }) => {
      const count = Math.ceil((toMs - fromMs) / LONGEST_UNSEEN_MS)
      const lengthMs = (toMs - fromMs) / count
      return Array.from({ length: count }, (_, index): Moment => {
        const atMs = fromMs + index * lengthMs
        const shown = sizes.slice(
          Math.floor(atMs / BUCKET_MS),
          Math.ceil((atMs + lengthMs) / BUCKET_MS),
        )
        const rank = rankIn(known, meanOf(shown))
        return {
          atMs: Math.round(atMs),
          lengthMs: Math.floor(lengthMs),
          shows: 'unseen',
          score: isEmpty(shown, emptyBelow) ? 0 : rounded(Math.max(0.001, rank)),
          startsShot: false,
          stillMs: Math.round(atMs + lengthMs / 2),
          likeness: '',
        }
      })
    })
}

function isEmpty(sizes: readonly number[], below: number): boolean {
  const empty = sizes.filter((size) => size > 0 && size < below).length
  return empty > EMPTY_SHARE * sizes.length
}

/** The share of a sorted list (0..1) that is no larger than a value. */
export function rankIn(sorted: readonly number[], value: number): number {
  if (sorted.length < 2) return 0.5
  return firstIndex(sorted, (each) => each > value) / sorted.length
}
