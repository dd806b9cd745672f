import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { quietSound } from '#recipes/noise.ts'
import { perMinute } from '#recipes/pricing.ts'
import { wholePicture, wholePictureStepMs } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { ifItHasSound, levelledSound } from '#recipes/whole-sound.ts'

/**
 * What is loud comes a little nearer to what is quiet, so that whispering is heard on a phone. No
 * high-pass: it shifts the phase of low voices, and steps and traffic are noise that is taken.
 */
const CHAIN = 'acompressor=threshold=0.06:ratio=1.6:attack=15:release=250:knee=6'

/** The whole video with steady noise taken off its sound, and voices brought forward. */
export const enhancedAudioFullScene = definePreset({
  slug: 'enhanced-audio-full-scene',
  name: 'Enhanced Audio',
  description:
    'The whole video with clearer voices and even loudness; the picture stays untouched.',
  tab: 'full-scene',
  price: perMinute(15),
  needs: { sound: true, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: wholePictureStepMs,
  plan: (source, _options, context) =>
    ifItHasSound(source, 'there is nothing to change', () =>
      planScene(source, context, {
        picture: wholePicture(source, context),
        sound: levelledSound(source, quietSound(source), {
          chain: CHAIN,
          filters: ['acompressor'],
        }),
        name: 'enhanced-audio',
        suffix: 'enhanced-audio',
        buttonText: 'Download video with enhanced audio',
      }),
    ),
})
