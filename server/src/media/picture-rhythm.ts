/**
 * When the pictures of a stream follow each other, by the times of their packets: how evenly, and
 * how far the full ones are apart.
 */

/** The most pictures that H.264 stores out of order (A.3.1). */
export const MAX_REORDERED = 16

/** Finds the longest time between two key frames. */
export function createKeyGaps(): {
  add(atS: number, startS: number): void
  readMs(span: { readonly startS: number; readonly endS: number }): number
} {
  const found: { latestS: number | null; gapS: number } = { latestS: null, gapS: 0 }
  return {
    add: (atS, startS) => {
      found.gapS = Math.max(found.gapS, atS - (found.latestS ?? startS))
      found.latestS = atS
    },
    readMs: ({ startS, endS }) =>
      Math.round(Math.max(found.gapS, endS - (found.latestS ?? startS)) * 1000),
  }
}

/** Longer than this is no rhythm but a still picture. */
const LONGEST_BEAT_MS = 2000
/** Clocks of whole milliseconds and uneven cameras miss the beat by as much. */
const BEAT_SLACK_MS = 1

/** Of the times from one picture to the next, in the order in which they are shown. */
export interface Rhythm {
  readonly evenRate: number | null
  readonly longestS: number
  /** When the last picture begins. */
  readonly lastS: number
}

/** Finds the usual time from one picture to the next, and the longest. */
export function createRhythm(): { add(atS: number): void; read(): Rhythm } {
  /** The latest times in order; an earlier one may still come between them. */
  const waiting: number[] = []
  /** How often each interval came, by its whole milliseconds, and their sum. */
  const beats = new Map<number, { count: number; sumS: number }>()
  const found = { longestS: 0 }
  const note = (stepS: number): void => {
    found.longestS = Math.max(found.longestS, stepS)
    const ms = Math.round(stepS * 1000)
    if (ms <= 0 || ms > LONGEST_BEAT_MS) return
    const beat = beats.get(ms) ?? { count: 0, sumS: 0 }
    beats.set(ms, { count: beat.count + 1, sumS: beat.sumS + stepS })
  }
  const around = (ms: number): { count: number; sumS: number } => {
    let [count, sumS] = [0, 0]
    for (let each = ms - BEAT_SLACK_MS; each <= ms + BEAT_SLACK_MS; each += 1) {
      count += beats.get(each)?.count ?? 0
      sumS += beats.get(each)?.sumS ?? 0
    }
    return { count, sumS }
  }
  return {
    add: (atS) => {
      const later = waiting.findIndex((each) => each > atS)
      waiting.splice(later < 0 ? waiting.length : later, 0, atS)
      const [first, second] = waiting
      if (waiting.length <= MAX_REORDERED || first === undefined || second === undefined) return
      note(second - first)
      waiting.shift()
    },
    read: () => {
      waiting.forEach((atS, index) => note(atS - (waiting[index - 1] ?? atS)))
      const lastS = waiting.at(-1) ?? 0
      waiting.length = 0
      const all = [...beats.values()].reduce((sum, { count }) => sum + count, 0)
      const usual = [...beats.keys()]
        .map(around)
        .reduce((most, each) => (each.count > most.count ? each : most), { count: 0, sumS: 0 })
      return {
        evenRate: usual.count * 2 > all ? usual.count / usual.sumS : null,
        longestS: found.longestS,
        lastS,
      }
    },
  }
}
