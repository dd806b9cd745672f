import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { deliveryAudio, deliveryMp4, needs, withoutTraces } from '#recipes/encoding.ts'
import { ifItHasSound } from '#recipes/new-sound.ts'
import { outputFileName } from '#recipes/naming.ts'
import { PREVIEW_SOUND_MS } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { wholePicture } from '#recipes/whole-picture.ts'
import type {
  PlanContext,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import { voiceMask } from '#recipes/voice-mask.ts'

const OUTPUT = 'voice-mask.mp4'

/**
 * The whole video with voices that cannot be recognised. The picture stays as it is where every
 * player can show it.
 */
export const voiceMaskFullScene = definePreset({
  slug: 'voice-mask-full-scene',
  name: 'Voice Mask',
  description:
    'The whole video with voices changed so that people cannot be recognised by how they sound.',
  tab: 'full-scene',
  price: perMinute(20),
  needs: { sound: true, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  plan: (source, _options, context) =>
    ifItHasSound(source, 'no voice', () => planMask(source, context)),
  previewLimitMs: PREVIEW_SOUND_MS,
  preview: (source, _options, window, { secret }) =>
    ifItHasSound(source, 'no voice', () => planPreview(source, window, secret)),
})

function planMask(source: SourceProbe, context: PlanContext): RecipePlan {
  const mask = voiceMask(context.secret)
  const picture = wholePicture(source, context)
  const step: PlanStep = {
    id: 'mask',
    // Copied pictures without times get them from their order.
    inputs: [{ from: { kind: 'source' }, flags: ['-fflags', '+genpts'] }],
    args: [
      '-map',
      '0:V:0',
      '-map',
      '0:a:0',
      ...picture.args,
      '-af',
      mask.chain,
      ...withoutTraces,
      ...deliveryAudio,
      ...deliveryMp4,
      { kind: 'output', name: OUTPUT },
    ],
    outputDurationMs: source.durationMs,
    weight: 1,
    needs: needs([...picture.filters, ...mask.filters], [...picture.encoders, 'aac']),
  }
  return {
    files: [],
    steps: [step],
    outputs: [
      {
        name: OUTPUT,
        buttonText: 'Download voice-masked video',
        fileName: outputFileName(source.fileName, 'voice-masked', 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}

/** The same seconds twice, as they are and masked, to be heard one after the other. */
function planPreview(source: SourceProbe, window: PreviewWindow, secret: string): RecipePlan {
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
      chain: mask.chain,
      filters: mask.filters,
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
