import { needs } from './encoding.ts'
import type { PlanArg, PlanInput, PlanStep } from './types.ts'

/** What networks play at, in LUFS (EBU R128). */
const TARGET_LUFS = -16
/** More would lift the noise of a room in which nothing is said. */
const MOST_GAIN_DB = 20
/** No sample goes above it; what AAC adds to it stays under -1.5 dBTP. */
const LIMIT = 0.78

/**
 * [Note: levelling] Sound is made even in two passes. A `loudness-meter` reads all of it first;
 * then one gain brings the whole to -16 LUFS, and a limiter takes what rises above its limit. So
 * quiet stays quiet beside loud, pauses do not swell, and a part of the video sounds as the whole
 * does. A preview reads a few seconds only, so it levels as it goes (`evenLoudness`).
 */

/** A sound as ffmpeg reads it: inputs, and a chain of filters from `map`. */
export interface MeasuredSound {
  readonly inputs: readonly PlanInput[]
  /** The stream that is measured: `0:a:0`. */
  readonly map: string
  /** Filters before the gain; what changes the loudness must be among them. */
  readonly chain: string
  readonly filters: readonly string[]
  readonly durationMs: number
}

const LOUDNESS_KEY = 'lavfi.r128.I'

/** Filters that print how loud the sound was so far; `loudnessIn` reads it. */
export const LOUDNESS_METER = `ebur128=metadata=1,ametadata=mode=print:key=${LOUDNESS_KEY}:file=-`

/** Measures a sound for the steps after it, which bring it to its loudness by `levelled`. */
export function loudnessStep(id: string, sound: MeasuredSound): PlanStep {
  return {
    id,
    tool: 'loudness-meter',
    inputs: sound.inputs,
    args: [
      '-map',
      sound.map,
      '-vn',
      '-sn',
      '-dn',
      '-af',
      {
        kind: 'filter',
        parts: [
          ...(sound.chain === '' ? [] : [`${sound.chain},`]),
          ...gainParts(id),
          `,${LOUDNESS_METER}`,
        ],
      },
      '-f',
      'null',
      '-',
    ],
    outputDurationMs: sound.durationMs,
    weight: sound.durationMs * 0.05,
    needs: needs([...sound.filters, ...LEVEL_FILTERS, 'ebur128', 'ametadata'], []),
  }
}

/** The value of `-af` that levels the sound which the step `of` measured. */
export function levelled(of: string, chain: string): PlanArg {
  return { kind: 'filter', parts: [...(chain === '' ? [] : [`${chain},`]), ...gainParts(of)] }
}

/** Filters that `levelled` uses. */
export const LEVEL_FILTERS = ['volume', 'aresample', 'alimiter', 'aformat']

/** Four times the rate, so that peaks between two samples are seen too. */
function gainParts(of: string): readonly (string | { kind: 'gain'; of: string })[] {
  return [
    'aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo,volume=',
    { kind: 'gain', of },
    `,aresample=192000,alimiter=limit=${LIMIT}:attack=5:release=60:level=0:latency=1,aresample=48000`,
  ]
}

/** The loudness of all that was read, in LUFS, by the end of a meter's print; null = nothing. */
export function loudnessIn(printed: string): number | null {
  const value = Number(printed.split(`${LOUDNESS_KEY}=`).at(-1)?.trim() || Number.NaN)
  return printed.includes(`${LOUDNESS_KEY}=`) && Number.isFinite(value) ? value : null
}

/**
 * The gain after a measurement with `gainDb`. The limiter takes some of a large gain away again, so
 * the runner measures twice. Silence stays as it is.
 */
export function gainAfter(gainDb: number, lufs: number | null): number {
  return lufs === null || lufs <= SILENCE_LUFS
    ? 0
    : Math.min(MOST_GAIN_DB, gainDb + TARGET_LUFS - lufs)
}

/** The meter's own floor is -70. */
const SILENCE_LUFS = -69
