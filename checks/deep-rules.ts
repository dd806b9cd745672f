import { finding } from './quick-rules.ts'
import type { DeepFacts, Finding } from './facts.ts'

type Rule = (deep: DeepFacts, durationMs: number) => Finding | null

/** Phones waver by less; the ends of a sample add their own rounding. */
const VARIABLE_FROM = 1.02
const UNEVEN_FROM = 2
const LATE_FROM_MS = 200
/**
 * Encoders end a little apart. In a long video more than a second is still no loss worth a warning.
 */
const EARLY_SHARE = 0.02
const EARLY_MIN_MS = 1_000
const EARLY_MAX_MS = 10_000
/** From this share of the samples on, something is silent, black or frozen as a whole. */
const MOSTLY = 0.8
/** Fewer say nothing about the whole. */
const ENOUGH_SAMPLES = 4
const CLIPPED_FROM = 0.01
const KEY_GAP_FROM_MS = 10_000
const NEARLY_WHOLE = 0.15

/**
 * Findings of the deep check. Pure; a fact that is null gives no finding. `durationMs` 0
 * = unknown.
 */
export function deepFindings(deep: DeepFacts, durationMs: number): readonly Finding[] {
  return RULES.map((rule) => rule(deep, durationMs)).filter((found) => found !== null)
}

const variableRate: Rule = ({ frameRates }) => {
  if (frameRates === null || frameRates.highest <= frameRates.lowest * VARIABLE_FROM) return null
  return finding('B1', frameRates.highest > frameRates.lowest * UNEVEN_FROM ? 'warn' : 'info', {
    lowest: rounded(frameRates.lowest),
    highest: rounded(frameRates.highest),
  })
}

const soundApart: Rule = ({ sound }, durationMs) => {
  if (sound === null) return null
  const early = Math.min(EARLY_MAX_MS, Math.max(EARLY_MIN_MS, durationMs * EARLY_SHARE))
  if (sound.endsEarlyMs > early)
    return finding('B2', 'warn', { fault: 'ends-early', byMs: sound.endsEarlyMs })
  if (sound.startsLateMs > LATE_FROM_MS)
    return finding('B2', 'warn', { fault: 'starts-late', byMs: sound.startsLateMs })
  return sound.startsLateMs < -LATE_FROM_MS
    ? finding('B2', 'warn', { fault: 'starts-early', byMs: -sound.startsLateMs })
    : null
}

const loudness: Rule = ({ loudness: heard }) => {
  if (heard === null || heard.windows < ENOUGH_SAMPLES) return null
  if (heard.silent === heard.windows) return finding('B3', 'warn', { fault: 'silent' })
  if (heard.silent >= heard.windows * MOSTLY)
    return finding('B3', 'warn', { fault: 'mostly-silent' })
  return heard.clippedShare > CLIPPED_FROM ? finding('B3', 'warn', { fault: 'distorted' }) : null
}

const darkOrFrozen: Rule = ({ pictures }) => {
  if (pictures === null || pictures.looked < ENOUGH_SAMPLES) return null
  if (pictures.black >= pictures.looked * MOSTLY) return finding('B4', 'warn', { fault: 'black' })
  // The first picture has none before it.
  return pictures.frozen >= (pictures.looked - 1) * MOSTLY
    ? finding('B4', 'warn', { fault: 'frozen' })
    : null
}

const damaged: Rule = ({ damagedAtMs }) =>
  damagedAtMs === null ? null : finding('B5', 'warn', { atMs: damagedAtMs })
const keyFrames: Rule = ({ longestKeyGapMs }) =>
  longestKeyGapMs !== null && longestKeyGapMs > KEY_GAP_FROM_MS
    ? finding('B6', 'info', { gapMs: longestKeyGapMs })
    : null
const interlaced: Rule = ({ isInterlaced }) =>
  isInterlaced === true ? finding('B7', 'info') : null
const origin: Rule = ({ hasLocation, hasDevice }) =>
  hasLocation === true
    ? finding('B9', 'info', { kind: 'place' })
    : hasDevice === true
      ? finding('B9', 'info', { kind: 'device' })
      : null

/**
 * B8 (same file again) needs the other uploads and B10 (not checked) is a failure: both are made
 * elsewhere.
 */
const RULES: readonly Rule[] = [
  variableRate,
  soundApart,
  loudness,
  darkOrFrozen,
  damaged,
  keyFrames,
  interlaced,
  origin,
]

/** In tenths, but 29.97 and what rounded timestamps make of 30 are 30 to people. */
function rounded(rate: number): number {
  return Math.abs(rate - Math.round(rate)) < NEARLY_WHOLE
    ? Math.round(rate)
    : Math.round(rate * 10) / 10
}
