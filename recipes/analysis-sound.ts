/** How loud a tenth of a second is. */
export interface Level {
  readonly atMs: number
  /** RMS level in dB, silence as -120. */
  readonly loudness: number
}

/** Digital silence, which has no level in dB. */
export const SILENCE_DB = -120

/**
 * Reads the levels that `ametadata=print` wrote. Lines it does not know (progress reports, log
 * lines, a last line cut off by a stop) are passed over, so the text may come from a broken stream.
 */
export function readLevels(text: string): Level[] {
  const levels: Level[] = []
  let atMs: number | null = null
  for (const line of text.split('\n')) {
    const header = /^frame:\s*\d+\s+pts:\s*-?\d+\s+pts_time:\s*(-?[\d.]+)/.exec(line)
    if (header !== null) {
      atMs = Number(header[1]) * 1000
      continue
    }
    const pair = /^lavfi\.astats\.Overall\.RMS_level=(-?inf|nan|-?[\d.]+(?:e[+-]?\d+)?)\s*$/.exec(
      line,
    )
    if (pair === null || atMs === null) continue
    const loudness = Number(pair[1])
    levels.push({
      atMs,
      loudness: Number.isFinite(loudness) ? Math.max(SILENCE_DB, loudness) : SILENCE_DB,
    })
    atMs = null
  }
  return levels
}

/** What is heard around a time; null where nothing is known. */
export interface Heard {
  /** Mean level in dB. */
  readonly loudness: number
  /** 0 steady or silent to 1 rising and falling as syllables do. */
  readonly speech: number
}

const AROUND_MS = 1000
/** Below this nothing is said. */
const QUIET = -50
/** Music and noise vary by less than the first, speech by more than the second, in dB. */
const STEADY = 3
const SPOKEN = 9

export function heardAt(levels: readonly Level[], atMs: number): Heard | null {
  const near = levels
    .filter((level) => Math.abs(level.atMs - atMs) <= AROUND_MS)
    .map(({ loudness }) => Math.max(QUIET - 20, loudness))
  if (near.length < 5) return null
  const loudness = near.reduce((sum, each) => sum + each, 0) / near.length
  const spread = Math.sqrt(
    near.reduce((sum, each) => sum + (each - loudness) ** 2, 0) / near.length,
  )
  const isHeard = Math.max(...near) > QUIET
  const speech = isHeard ? Math.min(1, Math.max(0, (spread - STEADY) / (SPOKEN - STEADY))) : 0
  return { loudness, speech }
}
