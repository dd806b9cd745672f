import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { PREVIEW_SOUND_MS } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { wholePicture, wholePictureStepMs } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { ifItHasSound, levelledSound } from '#recipes/whole-sound.ts'
import { maskedSound } from '#recipes/voice-mask.ts'
import { previewVoice } from '#recipes/voice-preview.ts'

const LACKS = 'there is no voice to change'

/**
 * The whole video in another voice. Who speaks can still be told by a machine that has learned from
 * masked voices (`npm run bench -- edits trained-voice`), so that no text may promise more. The
 * picture stays as it is where every player can show it.
 */
export const voiceMaskFullScene = definePreset({
  slug: 'voice-mask-full-scene',
  name: 'Voice Mask',
  description:
    'The whole video with another voice for everyone who speaks. It does not hide who speaks from software that compares voices.',
  tab: 'full-scene',
  price: perMinute(20),
  needs: { sound: true, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: wholePictureStepMs,
  plan: (source, _options, context) =>
    ifItHasSound(source, LACKS, () =>
      planScene(source, context, {
        picture: wholePicture(source, context),
        sound: levelledSound(source, maskedSound(source, context.secret)),
        name: 'voice-mask',
        suffix: 'voice-masked',
        buttonText: 'Download voice-masked video',
      }),
    ),
  previewLimitMs: PREVIEW_SOUND_MS,
  preview: (source, _options, window, { secret }) =>
    ifItHasSound(source, LACKS, () => previewVoice(source, window, secret)),
})
