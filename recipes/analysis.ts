import { readMetadata, type FrameFacts } from './analysis-text.ts'
import type { Moment, PlanRun, SourceProbe } from './types.ts'

/**
 * One run of ffmpeg that prints facts to its standard output. A run may fail (a damaged place): its
 * output is then used as far as it goes, and the rest of the analysis goes on.
 */
export interface AnalysisRun extends PlanRun {
  readonly id: string
  readonly kind: 'picture' | 'sound'
  /** Added to every time in the output, because a run that seeks counts from its own start. */
  readonly offsetMs: number
}

/** What a run printed; the text of a failed or stopped run is welcome too. */
export interface AnalysisOutput {
  readonly run: AnalysisRun
  readonly stdout: string
}

/**
 * Longer sources are looked at in places instead of from end to end: two hours must not take
 * minutes.
 */
const SAMPLED_FROM_MS = 20 * 60_000
const MAX_SAMPLES = 240
const MIN_SAMPLES = 120

/**
 * The first look at a source: all its key frames, small, plus the loudness of every second; or
 * single places when the source is longer than 20 minutes (up to 240 runs of about 0.1 s each).
 */
export function planAnalysis(source: SourceProbe): readonly AnalysisRun[] {
  if (source.durationMs > SAMPLED_FROM_MS) return sampledRuns(source)
  const picture: AnalysisRun = {
    id: 'key-frames',
    kind: 'picture',
    // Only key frames are decoded: some 20 times faster, and recorders and encoders put them where
    // scenes begin.
    inputs: [{ from: { kind: 'source' }, flags: ['-skip_frame', 'nokey'] }],
    args: ['-an', '-sn', '-dn', '-map', '0:V:0', '-vf', pictureFilter, ...toNowhere],
    offsetMs: 0,
  }
  return source.hasAudio ? [picture, soundRun(source)] : [picture]
}

/**
 * Whether the key frames were too few to choose from (fewer than 8, or one in 10 s); then run
 * `planDenseAnalysis`, too.
 */
export function isTooSparse(source: SourceProbe, moments: readonly Moment[]): boolean {
  return (
    source.durationMs <= SAMPLED_FROM_MS &&
    (moments.length < 8 || moments.length < source.durationMs / 10_000)
  )
}

/**
 * The second look at a source with few key frames: evenly spaced frames, which means decoding
 * everything. At most 240 frames.
 */
export function planDenseAnalysis(source: SourceProbe): readonly AnalysisRun[] {
  const rate = Math.min(4, MAX_SAMPLES / (source.durationMs / 1000))
  const picture: AnalysisRun = {
    id: 'even-frames',
    kind: 'picture',
    inputs: [{ from: { kind: 'source' }, flags: ['-skip_frame', 'noref'] }],
    args: [
      '-an',
      '-sn',
      '-dn',
      '-map',
      '0:V:0',
      '-vf',
      `fps=${rate.toFixed(4)},${pictureFilter}`,
      ...toNowhere,
    ],
    offsetMs: 0,
  }
  return source.hasAudio ? [picture, soundRun(source)] : [picture]
}

/** Turns what the runs printed into moments in order of time; empty when nothing could be read. */
export function momentsFrom(source: SourceProbe, outputs: readonly AnalysisOutput[]): Moment[] {
  const facts = (kind: AnalysisRun['kind']): FrameFacts[] =>
    outputs
      .filter(({ run }) => run.kind === kind)
      .flatMap(({ run, stdout }) =>
        readMetadata(stdout).map((frame) => ({ ...frame, atMs: frame.atMs + run.offsetMs })),
      )
      .filter((frame) => frame.atMs >= 0 && frame.atMs <= source.durationMs)
      .toSorted((a, b) => a.atMs - b.atMs)
  const pictures = facts('picture').filter(
    (frame, index, all) =>
      frame.brightness !== null && (index === 0 || frame.atMs - (all[index - 1]?.atMs ?? 0) >= 1),
  )
  const sounds = facts('sound')
  const blurs = rankOf(pictures.map(({ blur }) => blur).filter((blur) => blur !== null))
  const levels = rankOf(sounds.map(({ loudness }) => loudness).filter((level) => level !== null))
  const scenes = rankOf(pictures.map(({ scene }) => scene).filter((scene) => scene !== null))
  return pictures.map((frame): Moment => {
    const nearest = sounds.find((sound) => Math.abs(sound.atMs - frame.atMs) <= 1000)
    const sharpness = frame.blur === null ? null : sharpnessOf(frame.blur)
    const parts = [
      { share: 0.35, value: frame.blur === null ? null : 1 - blurs(frame.blur) },
      { share: 0.25, value: colourOf(frame) },
      {
        share: 0.2,
        value:
          nearest?.loudness === undefined || nearest.loudness === null
            ? null
            : levels(nearest.loudness),
      },
      { share: 0.2, value: frame.scene === null ? null : scenes(frame.scene) },
    ].flatMap(({ share, value }) => (value === null ? [] : [{ share, value }]))
    const sum = parts.reduce((total, part) => total + part.share, 0)
    return {
      atMs: Math.round(frame.atMs),
      score: clamp(
        sum === 0 ? 0 : parts.reduce((total, part) => total + part.share * part.value, 0) / sum,
      ),
      sceneStart: outputs.length <= 4 && (frame.scene ?? 0) > 0.3,
      brightness: clamp(frame.brightness ?? 0),
      ...(sharpness === null ? {} : { sharpness }),
    }
  })
}

/**
 * 320 px are enough to tell light, colour, sharpness and change apart. `select` only adds the scene
 * score: it lets every frame pass.
 */
const pictureFilter =
  "scale=320:-2:flags=fast_bilinear,format=yuv420p,select='gte(scene,0)',signalstats,blurdetect=block_width=32:block_height=32,metadata=print:file=-"
const toNowhere = ['-f', 'null', '-'] as const

function soundRun(source: SourceProbe): AnalysisRun {
  return {
    id: 'loudness',
    kind: 'sound',
    inputs: [
      {
        from: { kind: 'source' },
        durationMs: source.durationMs,
        flags: ['-vn', '-sn', '-dn'],
      },
    ],
    args: [
      '-map',
      '0:a:0',
      // One fact for each second; 8 kHz is plenty for a level.
      '-af',
      'aresample=8000,asetnsamples=n=8000,astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level,ametadata=print:key=lavfi.astats.Overall.RMS_level:file=-',
      ...toNowhere,
    ],
    offsetMs: 0,
  }
}

function sampledRuns(source: SourceProbe): readonly AnalysisRun[] {
  const count = Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, Math.round(source.durationMs / 30_000)))
  return Array.from({ length: count }, (_, index): AnalysisRun => {
    const offsetMs = Math.round(((index + 0.5) / count) * source.durationMs)
    return {
      id: `place-${index + 1}`,
      kind: 'picture',
      // The next key frame is near enough, and nothing before it has to be decoded.
      inputs: [
        {
          from: { kind: 'source' },
          seekMs: offsetMs,
          flags: ['-noaccurate_seek', '-skip_frame', 'nokey'],
        },
      ],
      args: [
        '-an',
        '-sn',
        '-dn',
        '-map',
        '0:V:0',
        '-frames:v',
        '1',
        '-vf',
        pictureFilter,
        ...toNowhere,
      ],
      offsetMs,
    }
  })
}

/** blurdetect gives some 1.5 for crisp and 12 for very soft pictures at 320 px. */
function sharpnessOf(blur: number): number {
  return clamp(1 - (blur - 2) / 11)
}

/** Colourful and neither dark nor pale. */
function colourOf(frame: FrameFacts): number | null {
  if (frame.brightness === null) return null
  const exposure = 1 - Math.min(1, Math.abs(frame.brightness - 0.48) / 0.48)
  return frame.saturation === null
    ? exposure
    : 0.6 * exposure + 0.4 * Math.min(1, frame.saturation / 0.35)
}

/**
 * Where a value stands among all of them, 0 lowest to 1 highest, so that one outlier does not
 * flatten the rest.
 */
function rankOf(values: readonly number[]): (value: number) => number {
  const sorted = values.toSorted((a, b) => a - b)
  return (value) =>
    sorted.length < 2 ? 0.5 : sorted.filter((other) => other < value).length / (sorted.length - 1)
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
}
