import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { quietSound } from '#recipes/noise.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import { newPicture } from '#recipes/whole-picture.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { levelledSound } from '#recipes/whole-sound.ts'

/**
 * Each point becomes the mean of itself over nine pictures, as far as it differs little from one
 * to the next: grain does, what moves does not. So a still picture loses no detail, and a picture
 * with less to say is encoded in less time, which pays for the filter.
 */
const GRAIN = {
  chain: `atadenoise=${[0, 1, 2].map((plane) => `${plane}a=0.1:${plane}b=0.2`).join(':')}:s=9`,
  filters: ['atadenoise'],
} as const

/** The whole video with less grain, and with steady noise taken off its sound. */
export const denoisedFullScene = definePreset({
  slug: 'denoised-full-scene',
  name: 'Denoised Scene',
  description: 'The whole video with less grain in the picture and less hiss in the sound.',
  tab: 'full-scene',
  price: perMinute(25),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  plan: (source, _options, context) =>
    ok(
      planScene(source, {
        picture: newPicture(source, context, GRAIN),
        sound: source.hasAudio ? levelledSound(source, quietSound(source)) : null,
        name: 'denoised',
        suffix: 'denoised',
        buttonText: 'Download denoised video',
      }),
    ),
})
