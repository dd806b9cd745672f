import { needs } from './encoding.ts'
import { numbered, seconds } from './naming.ts'
import type { PlanArg, PlanInput, PlanStep } from './types.ts'

/** What networks play at, in LUFS (EBU R128). */
const TARGET_LUFS = -16
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
const LOUDNESS_METER_FILTER = 'ebur128=metadata=1'

function printed(more?: string): string {
  return ['ametadata=mode=print', `key=${LOUDNESS_KEY}`, 'file=-', ...(more ? [more] : [])].join(
    ':',
  )
}

/** Filters that print how loud the sound was so far; `loudnessIn` reads it. */
export const LOUDNESS_METER = `${LOUDNESS_METER_FILTER},${printed()}`

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
          ...ofAll(id),
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

/**
 * The value of `-af` that levels the sound which the step `of` measured.
 * @param after filters that do not change how loud it is
 */
export function levelled(of: string, chain: string, after: string): PlanArg {
  return {
    kind: 'filter',
    parts: [...(chain === '' ? [] : [`${chain},`]), ...ofAll(of), `,${after}`],
  }
}

/** A stretch of a sound that is made as loud as the others by a gain of its own. */
export interface SoundPart {
  /** It alone, to be measured. */
  readonly input: PlanInput
  readonly startMs: number
  readonly endMs: number
}

/** A sound that is as loud as networks play. */
export interface LevelledInput {
  /** What has to run before it is heard. */
  readonly steps: readonly PlanStep[]
  readonly sound: {
    readonly input: PlanInput
    readonly chain: PlanArg
    readonly filters: readonly string[]
  }
}

/**
 * The sound of an input as loud as networks play.
 * @param after filters that keep its loudness, such as fades at both ends
 * @param parts those that may differ in loudness, in their order; left out = none do
 */
export function levelledInput(
  input: PlanInput,
  durationMs: number,
  {
    after = { chain: '', filters: [] },
    parts = [{ input, startMs: 0, endMs: durationMs }],
  }: {
    readonly after?: Pick<MeasuredSound, 'chain' | 'filters'>
    readonly parts?: readonly SoundPart[]
  } = {},
): LevelledInput {
  const measured = parts.map((part, index) => ({
    ...part,
    of: parts.length === 1 ? 'loudness' : `loudness-${numbered(index + 1)}`,
  }))
  const before = after.chain === '' ? [] : [`${after.chain},`]
  return {
    steps: measured.map((part) =>
      loudnessStep(part.of, {
        inputs: [part.input],
        map: '0:a:0',
        ...after,
        durationMs: part.endMs - part.startMs,
      }),
    ),
    sound: {
      input,
      chain: { kind: 'filter', parts: [...before, ...gainParts(measured)] },
      filters: [...after.filters, ...LEVEL_FILTERS],
    },
  }
}

/** Filters that `levelled` uses. */
export const LEVEL_FILTERS = ['volume', 'aresample', 'alimiter', 'aformat']

type GainPart = string | { kind: 'gain'; of: string }

/**
 * Each gain, for its part of the time, and the limiter: at four times the rate, so that it sees
 * peaks between two samples too.
 */
function gainParts(
  gains: readonly { readonly of: string; readonly startMs: number; readonly endMs: number }[],
): readonly GainPart[] {
  const volumes = gains.flatMap(({ of, startMs, endMs }): readonly GainPart[] => [
    'volume=',
    { kind: 'gain', of },
    gains.length === 1 ? ',' : `:enable='gte(t,${seconds(startMs)})*lt(t,${seconds(endMs)})',`,
  ])
  return [
    'aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo,',
    ...volumes,
    `aresample=192000,alimiter=limit=${LIMIT}:attack=5:release=60:level=0:latency=1,aresample=48000`,
  ]
}

const ofAll = (of: string): readonly GainPart[] => gainParts([{ of, startMs: 0, endMs: 0 }])

/** The loudness of all that was read, in LUFS, by the end of a meter's print; null = nothing. */
export function loudnessIn(printed: string): number | null {
  const value = Number(printed.split(`${LOUDNESS_KEY}=`).at(-1)?.trim() || Number.NaN)
  return printed.includes(`${LOUDNESS_KEY}=`) && Number.isFinite(value) ? value : null
}

/** The meter of each sound shifts the times that it prints by this many seconds. */
const METER_APART_S = 1_000_000
const METER_RATE = 48_000

/**
 * Filters that print how loud one of several sounds of a graph was so far, from 0; take them where
 * a run measures more than one, and read them by `createLoudnessReader`. Times tell which sound a
 * line is of, and are as before behind the meter.
 */
export function loudnessMeterOf(sound: number): string {
  const apart = `${(sound + 1) * METER_APART_S}/TB`
  return `aresample=${METER_RATE},${LOUDNESS_METER_FILTER},asetpts=PTS+${apart},${printed('direct=1')},asetpts=PTS-${apart}`
}

/** Reads what meters print, in pieces of any size. */
export interface LoudnessReader {
  readonly add: (text: string) => void
  /** The loudness of a sound in LUFS as far as it was read; null = nothing was. */
  readonly of: (sound: number) => number | null
}

export function createLoudnessReader(): LoudnessReader {
  const known = new Map<number, number>()
  const open = { rest: '', sound: -1 }
  const take = (line: string): void => {
    const pts = /\bpts:(\d+)/.exec(line)?.[1]
    if (pts !== undefined)
      open.sound = Math.floor(Number(pts) / (METER_APART_S * METER_RATE) + ROUNDED) - 1
    const lufs = loudnessIn(line)
    if (lufs !== null) known.set(open.sound, lufs)
  }
  return {
    add: (text) => {
      const lines = (open.rest + text).split('\n')
      open.rest = lines.pop() ?? ''
      lines.forEach(take)
    },
    of: (sound) => known.get(sound) ?? null,
  }
}

/** Sounds may begin before time zero. */
const ROUNDED = 0.5

/**
 * The gain after a measurement with `gainDb`. The limiter takes some of a large gain away again, so
 * the runner measures twice. Silence stays as it is, and so does a room in which nothing is said;
 * what is little above them is raised by as much as it is above.
 */
export function gainAfter(gainDb: number, lufs: number | null): number {
  if (lufs === null) return 0
  const most = Math.max(0, lufs - gainDb - ROOM_LUFS)
  return Math.min(most, gainDb + TARGET_LUFS - lufs)
}

/**
 * Rooms and cameras alone are as loud as this; a whisper is at -45. So a sound of -38 LUFS or more
 * reaches its target, and a quieter one keeps the noise of its room low.
 */
const ROOM_LUFS = -60
