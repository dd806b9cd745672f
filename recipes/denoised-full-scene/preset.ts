import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Denoised Scene. No recipe yet. */
export const denoisedFullScene = announcePreset({
  slug: 'denoised-full-scene',
  name: 'Denoised Scene',
  description: 'The whole video with less grain in the picture and less hiss in the sound.',
  tab: 'full-scene',
  price: perMinute(25),
})
