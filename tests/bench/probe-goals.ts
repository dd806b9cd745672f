import type { Cancelled } from './probe-cancel.ts'
import type { Measured } from './probe-measure.ts'
import { GB, MB } from './probe-files.ts'

/** Milliseconds until an engine is ready. */
export interface EngineStarts {
  readonly cold: readonly number[]
  readonly warm: readonly number[]
}
export interface Evidence {
  readonly files: readonly Measured[]
  readonly starts: EngineStarts
  readonly cancelled: readonly Cancelled[]
}

/** `value` null: this run did not measure it. */
interface Check {
  readonly what: string
  readonly value: number | null
  readonly most: number
  readonly unit: '×' | 'MB' | 'ms' | ''
}
interface Goal {
  readonly number: number
  readonly checks: readonly Check[]
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Each goal that this run measured, one line for each check: what, measured, allowed, met or not.
 */
export function goalLines(evidence: Evidence): readonly string[] {
  const rows = goals(evidence).flatMap(({ number, checks }) =>
    checks.filter(({ value }) => value !== null).map((check) => lineOf(number, check)),
  )
  return ['| # | goal | measured | allowed | |', '|---|---|---|---|---|', ...rows]
}

function lineOf(number: number, { what, value, most, unit }: Check): string {
  const digits = unit === '×' ? 2 : unit === '' ? 0 : 1
  const isMet = value !== null && value <= most
  return `| ${number} | ${what} | ${(value ?? Number.NaN).toFixed(digits)} ${unit} | ${most} ${unit} | ${isMet ? 'met' : '**not met**'} |`
}

function goals({ files, starts, cancelled }: Evidence): readonly Goal[] {
  const fast = files.filter(({ file }) => file.reader === 'fast')
  const named = (name: string): Measured | undefined => files.find(({ file }) => file.name === name)
  const [small, huge] = [named('uhd.mp4'), named('uhd-25gb.mp4')]
  const endings = (...names: readonly string[]): readonly Measured[] =>
    fast.filter(({ file }) => names.some((name) => file.name.endsWith(name)))
  const large = files.filter(({ file }) => file.group === '5GB')
  const hugeBytes = huge?.bytes.probe ?? null
  return [
    {
      number: 1,
      checks: [
        check('quick check ÷ ffprobe, median file', ratios(fast, 'probe', 'native'), median, 0.1),
        check('quick check ÷ ffprobe, worst file', ratios(fast, 'probe', 'native'), worst, 0.3),
      ],
    },
    {
      number: 2,
      checks: [
        check(
          'quick check ÷ mediainfo.js, median file',
          ratios(fast, 'probe', 'mediainfo'),
          median,
          0.1,
        ),
        check(
          'quick check ÷ mediainfo.js, worst file',
          ratios(fast, 'probe', 'mediainfo'),
          worst,
          0.25,
        ),
      ],
    },
    {
      number: 3,
      checks: [
        check(
          'deep ÷ ffprobe, worst MP4 or MOV',
          ratios(endings('.mp4', '.mov'), 'deep', 'native'),
          worst,
          0.4,
        ),
        check(
          'deep ÷ ffprobe, worst MKV or WebM',
          ratios(endings('.mkv', '.webm'), 'deep', 'native'),
          worst,
          0.5,
        ),
        check('deep ÷ ffprobe, worst TS', ratios(endings('.ts'), 'deep', 'native'), worst, 1.5),
      ],
    },
    {
      number: 4,
      checks: [
        check(
          'fallback, warm ÷ ffprobe, worst file',
          ratios(files, 'fallback', 'native'),
          worst,
          1,
        ),
      ],
    },
    {
      number: 5,
      checks: [
        check(
          'cold ÷ mediainfo.js cold, 5 GB, fast way',
          ratios(large, 'coldProbe', 'coldMediainfo'),
          worst,
          0.25,
        ),
        check(
          'cold ÷ mediainfo.js cold, 5 GB, fallback',
          ratios(large, 'coldFallback', 'coldMediainfo'),
          worst,
          1,
        ),
      ],
    },
    {
      number: 6,
      checks: [
        {
          what: '25 GB ÷ 0.3 GB, fast way',
          value: quotient(huge?.ms.probe, small?.ms.probe),
          most: 8,
          unit: '×',
        },
        {
          what: '25 GB ÷ 0.3 GB, fallback',
          value: quotient(huge?.ms.fallback, small?.ms.fallback),
          most: 4,
          unit: '×',
        },
        {
          what: 'read of the 25 GB MP4',
          value: hugeBytes === null ? null : hugeBytes / MB,
          most: 8.4,
          unit: 'MB',
        },
      ],
    },
    {
      number: 7,
      checks: [
        memory('peak, 25 GB, fast way', huge?.peakBytes.probe, 96),
        memory('peak, 25 GB, fallback', huge?.peakBytes.fallback, 170),
        memory(
          'left 3 s after release',
          files.length === 0 ? null : Math.max(...files.map(({ leftBytes }) => leftBytes)),
          16,
        ),
      ],
    },
    {
      number: 8,
      checks: [
        {
          what: 'new ffmpeg worker ÷ cold start of the core',
          value: quotient(starts.warm, starts.cold),
          most: 0.2,
          unit: '×',
        },
      ],
    },
    {
      number: 9,
      checks: [
        check(
          'poster by WebCodecs ÷ ffmpeg, worst file',
          ratios(decodedBy(files, 'webcodecs'), 'poster', 'nativePoster'),
          worst,
          0.3,
        ),
        check(
          'ten pictures ÷ ten starts of ffmpeg, worst file',
          ratios(decodedBy(files, 'webcodecs'), 'strip', 'nativeStrip'),
          worst,
          0.4,
        ),
      ],
    },
    {
      number: 10,
      checks: [
        check(
          'poster by the fallback ÷ ffmpeg, worst file',
          ratios(decodedBy(files, 'ffmpeg'), 'poster', 'nativePoster'),
          worst,
          3.5,
        ),
        check(
          'preview of 3 s at 480p ÷ ffmpeg',
          ratios(files, 'preview', 'nativePreview'),
          worst,
          4.5,
        ),
        check('voice of 5 s ÷ ffmpeg', ratios(files, 'voice', 'nativeVoice'), worst, 2),
      ],
    },
    {
      number: 11,
      checks: [
        {
          what: 'fields that differ from ffprobe',
          value: files.reduce((sum, { disagreements }) => sum + disagreements.length, 0),
          most: 0,
          unit: '',
        },
      ],
    },
    {
      number: 14,
      checks:
        cancelled.length === 0
          ? []
          : [
              {
                what: 'slowest answer to a cancel',
                value: Math.max(...cancelled.map(({ slowestMs }) => slowestMs)),
                most: 100,
                unit: 'ms',
              },
              // The browser reads a little on its own; the app reads at least 64 KiB.
              {
                what: 'read from 50 ms after it on',
                value: Math.max(...cancelled.map(({ readAfterBytes }) => readAfterBytes)) / MB,
                most: 0.06,
                unit: 'MB',
              },
            ],
    },
  ]
}

type Series = keyof Measured['ms']

function ratios(files: readonly Measured[], ours: Series, theirs: Series): readonly number[] {
  return files.flatMap(({ ms }) => quotient(ms[ours], ms[theirs]) ?? [])
}

function quotient(
  ours: readonly number[] | undefined,
  theirs: readonly number[] | undefined,
): number | null {
  return ours === undefined || theirs === undefined || ours.length === 0 || theirs.length === 0
    ? null
    : median(ours) / median(theirs)
}

function check(
  what: string,
  values: readonly number[],
  summarise: (values: readonly number[]) => number,
  most: number,
): Check {
  return { what, value: values.length === 0 ? null : summarise(values), most, unit: '×' }
}

function worst(values: readonly number[]): number {
  return Math.max(...values)
}

function memory(what: string, bytes: number | null | undefined, most: number): Check {
  return { what, value: bytes == null ? null : bytes / MB, most, unit: 'MB' }
}

function decodedBy(files: readonly Measured[], who: 'webcodecs' | 'ffmpeg'): readonly Measured[] {
  return files.filter(({ file }) => file.pictures === who)
}

/** One row of the table of files: medians of time, then bytes, processor time and memory. */
export function fileLine({ file, ms, bytes, processorMs, peakBytes, failures }: Measured): string {
  const time = (series: Series): string =>
    ms[series].length === 0 ? '–' : median(ms[series]).toFixed(median(ms[series]) < 10 ? 1 : 0)
  const mb = (value: number | null): string => (value === null ? '–' : (value / MB).toFixed(1))
  const size =
    file.sizeBytes >= GB
      ? `${(file.sizeBytes / GB).toFixed(2)} GB`
      : `${(file.sizeBytes / MB).toFixed(1)} MB`
  const failed =
    failures.size === 0
      ? ''
      : ` (${Array.from(failures, ([tool, said]) => `${tool}: ${said}`).join('; ')})`
  return `| ${file.name}, ${size}${failed} | ${(['native', 'probe', 'deep', 'fallback', 'mediainfo', 'memfs'] as const).map(time).join(' | ')} | ${(['native', 'probe', 'fallback', 'mediainfo', 'memfs'] as const).map((tool) => mb(bytes[tool])).join(' / ')} | ${(['probe', 'deep', 'fallback', 'mediainfo'] as const).map((tool) => processorMs[tool]?.toFixed(0) ?? '–').join(' / ')} | ${(['probe', 'fallback', 'mediainfo', 'memfs'] as const).map((tool) => mb(peakBytes[tool])).join(' / ')} |`
}

export const FILE_HEAD = [
  '| file | ffprobe | quick check | deep | fallback | mediainfo.js | in memory | MB read: ffprobe / quick check / fallback / mediainfo.js / in memory | processor ms: quick check / deep / fallback / mediainfo.js | peak MB: quick check / fallback / mediainfo.js / in memory |',
  '|---|---|---|---|---|---|---|---|---|---|',
] as const
