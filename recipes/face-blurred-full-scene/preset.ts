import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Face Blur. No recipe yet. */
export const faceBlurredFullScene = announcePreset({
  slug: 'face-blurred-full-scene',
  name: 'Face Blur',
  description: 'The whole video with every face blurred, from the first frame to the last.',
  tab: 'full-scene',
  price: perMinute(60),
})
