import { needs, withoutTraces } from './encoding.ts'
import type { PlanPlace, PlanStep, SourceProbe } from './types.ts'
import type { MadeSound, SoundFilter } from './whole-sound.ts'

/**
 * How much of the noise is taken: all of it sounds like a telephone, and what is left covers the
 * joints.
 */
const SHARE = 0.95

/** Samples without a header, as the noise filter reads and writes them. */
const RAW = ['-f', 's16le', '-ar', '48000', '-ac', '2'] as const

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
 */
export function sampledSound(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  name: string,
  { chain, filters }: SoundFilter = { chain: '', filters: [] },
  from: MadeSound | null = null,
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
        'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo',
        ...(chain === '' ? [] : [chain]),
      ].join(','),
      '-c:a',
      'pcm_s16le',
      ...withoutTraces,
      ...RAW,
      { kind: 'scratch', name: file },
    ],
    outputDurationMs: durationMs,
    weight: durationMs * 0.03,
    needs: needs(['aresample', 'aformat', ...filters], ['pcm_s16le']),
  }
  return { steps: [...(from?.steps ?? []), step], input: rawSamples(file) }
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
function rawSamples(name: string): MadeSound['input'] {
  const from: PlanPlace = { kind: 'scratch', name }
  return { from, flags: RAW }
}
