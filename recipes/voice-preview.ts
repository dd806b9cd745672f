import { evenLoudness, needs, withoutTraces } from './encoding.ts'
import { outputFileName } from './naming.ts'
import type { PlanInput, PlanStep, PreviewWindow, RecipePlan, SourceProbe } from './types.ts'
import { maskedPart } from './voice-mask.ts'
import { filledSound, type MadeSound, type SoundFilter } from './whole-sound.ts'

/**
 * The program learns a voice from some twenty seconds around it, most from the nearest. With this
 * much on both sides a preview sounds as the same seconds of an edit do
 * (docs/bench-log/voice-mask.md).
 */
export const AROUND_MS = 5_000

/** The same seconds twice, as they are and masked, to be heard one after the other. */
export function previewVoice(
  source: SourceProbe,
  window: PreviewWindow,
  secret: string,
): RecipePlan {
  const { startMs, durationMs } = window
  const part: PlanInput = { from: { kind: 'source' }, seekMs: startMs, durationMs }
  const sounds = [
    {
      name: 'before.wav',
      suffix: 'voice-before',
      buttonText: 'Download sound before',
      made: { steps: [], input: part },
      filter: filledSound,
    },
    {
      name: 'after.wav',
      suffix: 'voice-after',
      buttonText: 'Download sound after',
      made: maskedPart(source, secret, window, AROUND_MS),
      filter: { chain: evenLoudness, filters: ['aresample', 'loudnorm'] },
    },
  ] as const
  return {
    files: [],
    steps: sounds.flatMap(({ name, made, filter }) => [
      ...made.steps,
      soundStep(name, made.input, filter, durationMs),
    ]),
    outputs: sounds.map(({ name, suffix, buttonText }) => ({
      name,
      buttonText,
      fileName: outputFileName(source.fileName, suffix, 'wav'),
      contentType: 'audio/wav',
      kind: 'audio',
    })),
  }
}

/** A sound through filters, as a file that every browser plays. */
function soundStep(
  name: string,
  input: MadeSound['input'],
  { chain, filters }: SoundFilter,
  durationMs: number,
): PlanStep {
  return {
    id: name.replace('.wav', ''),
    inputs: [input],
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
    weight: durationMs * 0.02,
    needs: needs(filters, ['pcm_s16le']),
  }
}
