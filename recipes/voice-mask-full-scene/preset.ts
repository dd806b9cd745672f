import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { needs, withoutTraces } from '#recipes/encoding.ts'
import { outputFileName } from '#recipes/naming.ts'
import { PREVIEW_SOUND_MS } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { wholePicture } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { filteredSound, ifItHasSound } from '#recipes/whole-sound.ts'
import type { PlanStep, PreviewWindow, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { voiceMask } from '#recipes/voice-mask.ts'

const LACKS = 'there is no voice to change'

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
    ifItHasSound(source, LACKS, () =>
      planScene(source, {
        picture: wholePicture(source, context),
        sound: filteredSound(voiceMask(context.secret)),
        name: 'voice-mask',
        suffix: 'voice-masked',
        buttonText: 'Download voice-masked video',
      }),
    ),
  previewLimitMs: PREVIEW_SOUND_MS,
  preview: (source, _options, window, { secret }) =>
    ifItHasSound(source, LACKS, () => planPreview(source, window, secret)),
})

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
