import { needs } from './encoding.ts'
import { rawSamples, sampledSound } from './noise.ts'
import { wholeSecret } from './secret.ts'
import type { PlanStep, PreviewWindow, SourceProbe } from './types.ts'
import type { MadeSound } from './whole-sound.ts'

/** What is above 8 kHz of a voice tells more of who speaks than of what is said. */
const RATE = 16_000

/**
 * The sound of a source with its voices masked, to be levelled. The same secret gives the same
 * voice, also in another edit: two masks of one sound could be averaged.
 * @param before what is masked instead of the source's own sound
 */
export function maskedSound(
  source: Pick<SourceProbe, 'durationMs'>,
  secret: string,
  before: MadeSound | null = null,
): MadeSound {
  const form = { format: 's16le', rate: RATE, channels: 1 } as const
  const voices = sampledSound(source, 'voices', undefined, before, form)
  const step: PlanStep = {
    id: 'masked',
    tool: 'voice-filter',
    inputs: [{ from: { kind: 'scratch', name: 'voices.pcm' } }],
    args: [{ kind: 'scratch', name: 'masked.pcm' }],
    secret: wholeSecret(secret),
    outputDurationMs: source.durationMs,
    weight: source.durationMs * 0.06,
    needs: needs([], []),
  }
  // Louder moments than a 16-bit file can hold are levelled later.
  return {
    steps: [...voices.steps, step],
    input: rawSamples('masked.pcm', { ...form, format: 'f32le' }),
  }
}

/**
 * The same of a part of the source.
 * @param aroundMs how much before and after the part is listened to as well
 */
export function maskedPart(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  secret: string,
  part: PreviewWindow,
  aroundMs = 0,
): MadeSound {
  const startMs = Math.max(0, part.startMs - aroundMs)
  const endMs = Math.min(durationMs, part.startMs + part.durationMs + aroundMs)
  const heard = { seekMs: startMs, durationMs: endMs - startMs }
  const masked = maskedSound(heard, secret, {
    steps: [],
    input: { from: { kind: 'source' }, ...heard },
  })
  const seekMs = part.startMs - startMs
  return { ...masked, input: { ...masked.input, seekMs, durationMs: part.durationMs } }
}
