import type { PlanRun, SourceProbe } from './types.ts'

/**
 * [Note: width of a sound] Music is turned down by the difference of two channels: voices are the
 * same in both, music mostly is not. How far it can be turned down follows from how loud that
 * difference is against the sum where only music plays; that is taken to be the fifth of the video
 * where it is loudest. At -9 dB the music comes out 10 dB quieter; at -16 dB, 3 dB.
 */
const LEAST_WIDTH_DB = -9
/** What one channel has, and silence. */
export const NO_WIDTH_DB = -100

/** Whether music can be turned down under voices; null where the width is not known. */
export function hasWideSound({ soundWidthDb }: Pick<SourceProbe, 'soundWidthDb'>): boolean | null {
  return soundWidthDb === undefined ? null : soundWidthDb >= LEAST_WIDTH_DB
}

const WINDOWS = 8
const WINDOW_MS = 8000
/** The share of the video that is wider than what is taken as its width. */
const WIDER_SHARE = 0.2
/** Below it a sum of both channels says nothing. */
const HEARD_DB = -55
const METER =
  'asetnsamples=n=4800:p=0,astats=metadata=1:reset=1:measure_perchannel=RMS_level:measure_overall=none,ametadata=mode=print:file=-'

/** Reads some places of the sound and prints how loud sum and difference of its channels are. */
export function widthRun({ durationMs }: Pick<SourceProbe, 'durationMs'>): PlanRun {
  const count = durationMs > WINDOWS * WINDOW_MS * 2 ? WINDOWS : 1
  const windowMs = Math.min(durationMs, count === 1 ? 2 * WINDOWS * WINDOW_MS : WINDOW_MS)
  const gapMs = (durationMs - windowMs) / Math.max(1, count - 1)
  const indices = Array.from({ length: count }, (_, index) => index)
  const sumAndDifference = 'pan=stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0+-0.5*c1'
  return {
    inputs: indices.map((index) => ({
      from: { kind: 'source' },
      seekMs: Math.round(index * gapMs),
      durationMs: windowMs,
    })),
    args: [
      '-filter_complex',
      [
        ...indices.map(
          (index) => `[${index}:a:0]aresample=48000,aformat=channel_layouts=stereo[s${index}]`,
        ),
        `${indices.map((index) => `[s${index}]`).join('')}concat=n=${count}:v=0:a=1,${sumAndDifference},${METER}[a]`,
      ].join(';'),
      '-map',
      '[a]',
      '-f',
      'null',
      '-',
    ],
  }
}

/** The width by what `widthRun` printed, in dB; null when nothing was heard. */
export function widthIn(printed: string): number | null {
  const widths = printed.split('frame:').flatMap((block) => {
    const [sum, difference] = [1, 2].map((channel) => {
      const text = new RegExp(`astats\\.${channel}\\.RMS_level=(\\S+)`).exec(block)?.[1]
      if (text === undefined) return Number.NaN
      return text === '-inf' ? NO_WIDTH_DB : Math.max(NO_WIDTH_DB, Number(text))
    })
    if (sum === undefined || difference === undefined || !(Math.max(sum, difference) > HEARD_DB))
      return []
    return [Math.max(NO_WIDTH_DB, difference - sum)]
  })
  const sorted = widths.toSorted((a, b) => b - a)
  return sorted[Math.floor(sorted.length * WIDER_SHARE)] ?? null
}
