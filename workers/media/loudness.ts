import type { DeepFacts } from '#checks/facts.ts'

/** Thin: longer or more windows of a 25 GB file pull hundreds of MB from the disk. */
export const LOUDNESS_WINDOWS = 10
/** -60 dBFS. */
const SILENT_PEAK = 0.001
const FULL_SCALE = 0.9995

/** One window listened to: the largest sample (0..1), and how many of `heard` touch the ceiling. */
export interface HeardWindow {
  readonly peak: number
  readonly clipped: number
  readonly heard: number
}

/** Measures samples between -1 and 1. */
export function listen(samples: Float32Array): HeardWindow {
  let [peak, clipped] = [0, 0]
  for (const value of samples) {
    const size = Math.abs(value)
    if (size > peak) peak = size
    if (size >= FULL_SCALE) clipped += 1
  }
  return { peak, clipped, heard: samples.length }
}

export function isAudible({ peak }: HeardWindow): boolean {
  return peak >= SILENT_PEAK
}

/** What several windows say of the whole; null when nothing was heard. */
export function judgeLoudness(windows: readonly HeardWindow[]): DeepFacts['loudness'] {
  const heard = windows.filter((window) => window.heard > 0)
  if (heard.length === 0) return null
  const sum = (of: (window: HeardWindow) => number): number =>
    heard.reduce((total, window) => total + of(window), 0)
  return {
    windows: heard.length,
    silent: heard.filter((window) => !isAudible(window)).length,
    clippedShare: sum((window) => window.clipped) / sum((window) => window.heard),
  }
}
