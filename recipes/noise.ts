import { needs, withoutTraces } from './encoding.ts'
import type { PlanPlace, PlanStep, SourceProbe } from './types.ts'
import type { MadeSound, SoundFilter } from './whole-sound.ts'

/**
 * How much of the noise is taken off. Without any noise a voice sounds like a telephone, and what
 * is left covers the joints.
 */
const SHARE = 0.95

/** Samples in a file without a header. */
interface RawForm {
  readonly format: 's16le' | 'f32le'
  readonly rate: number
  readonly channels: 1 | 2
}

/** As the noise filter reads and writes them. */
const STEREO: RawForm = { format: 's16le', rate: 48_000, channels: 2 }

/** The sound of a source with its steady noise taken off. */
export function quietSound(source: Pick<SourceProbe, 'durationMs'>): MadeSound {
  const samples = sampledSound(source, 'samples')
  const quiet = noiseStep('samples.pcm', 'quiet.pcm', source.durationMs)
  return { steps: [...samples.steps, quiet], input: rawSamples('quiet.pcm') }
}

/**
 * A sound as samples in a scratch file, from the first picture on, so that later steps can read it
 * more than once.
 * @param name of the step and of its file
 * @param filter on the sound when it has its place and form
 * @param from what is read instead of the source
 * @param form how its samples are stored, of 16 bits
 */
export function sampledSound(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  name: string,
  { chain, filters }: SoundFilter = { chain: '', filters: [] },
  from: MadeSound | null = null,
  form = STEREO,
): MadeSound {
  const file = `${name}.pcm`
  const step: PlanStep = {
    id: name,
    inputs: [from?.input ?? { from: { kind: 'source' } }],
    args: [
      '-map',
      '0:a:0',
      '-vn',
      '-af',
      // `async` fills holes and `first_pts` the start, so that the sound stays under its picture.
      [
        `aresample=${form.rate}:async=1:first_pts=0,aformat=sample_fmts=fltp:sample_rates=${form.rate}:channel_layouts=${form.channels === 1 ? 'mono' : 'stereo'}`,
        ...(chain === '' ? [] : [chain]),
      ].join(','),
      '-c:a',
      'pcm_s16le',
      ...withoutTraces,
      ...flagsOf(form),
      { kind: 'scratch', name: file },
    ],
    outputDurationMs: durationMs,
    weight: durationMs * 0.03,
    needs: needs(['aresample', 'aformat', ...filters], ['pcm_s16le']),
  }
  return { steps: [...(from?.steps ?? []), step], input: rawSamples(file, form) }
}

/**
 * Takes steady noise (hiss, fans, hum) off speech. What comes out is as long as what goes in, and
 * not shifted.
 */
export function noiseStep(from: string, to: string, durationMs: number): PlanStep {
  return {
    id: 'noise',
    tool: 'noise-filter',
    inputs: [{ from: { kind: 'scratch', name: from } }],
    args: ['--share', String(SHARE), { kind: 'scratch', name: to }],
    outputDurationMs: durationMs,
    weight: durationMs * 0.3,
    needs: needs([], []),
  }
}

/** How ffmpeg reads the samples in a scratch file. */
export function rawSamples(name: string, form = STEREO): MadeSound['input'] {
  const from: PlanPlace = { kind: 'scratch', name }
  return { from, flags: flagsOf(form) }
}

function flagsOf({ format, rate, channels }: RawForm): readonly string[] {
  return ['-f', format, '-ar', String(rate), '-ac', String(channels)]
}
