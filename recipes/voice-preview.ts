import { evenLoudness, needs, withoutTraces } from './encoding.ts'
import { outputFileName } from './naming.ts'
import type { PlanStep, PreviewWindow, RecipePlan, SourceProbe } from './types.ts'
import { voiceMask } from './voice-mask.ts'

/** The same seconds twice, as they are and masked, to be heard one after the other. */
export function previewVoice(
  source: SourceProbe,
  window: PreviewWindow,
  secret: string,
): RecipePlan {
  const mask = voiceMask(secret)
  const plain =
    'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'
  const sounds = [
    {
      name: 'before.wav',
      suffix: 'voice-before',
      buttonText: 'Download sound before',
      chain: plain,
      filters: ['aresample', 'aformat'],
    },
    {
      name: 'after.wav',
      suffix: 'voice-after',
      buttonText: 'Download sound after',
      chain: `${mask.chain},${evenLoudness}`,
      filters: [...mask.filters, 'loudnorm'],
    },
  ] as const
  return {
    files: [],
    steps: sounds.map((sound) => soundStep(sound, window)),
    outputs: sounds.map(({ name, suffix, buttonText }) => ({
      name,
      buttonText,
      fileName: outputFileName(source.fileName, suffix, 'wav'),
      contentType: 'audio/wav',
      kind: 'audio',
    })),
  }
}

/** A part of the sound, changed by a chain of filters, as a file that every browser plays. */
function soundStep(
  sound: { readonly name: string; readonly chain: string; readonly filters: readonly string[] },
  { startMs, durationMs }: PreviewWindow,
): PlanStep {
  const { name, chain, filters } = sound
  return {
    id: name.replace('.wav', ''),
    inputs: [{ from: { kind: 'source' }, seekMs: startMs, durationMs }],
    args: [
      '-map',
      '0:a:0',
      '-vn',
      '-af',
      chain,
      ...withoutTraces,
      '-c:a',
      'pcm_s16le',
      '-ar',
      '48000',
      '-ac',
      '2',
      '-f',
      'wav',
      { kind: 'output', name },
    ],
    outputDurationMs: durationMs,
    weight: 1,
    needs: needs(filters, ['pcm_s16le']),
  }
}
