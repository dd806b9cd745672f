import { announcePreset } from '#recipes/define-preset.ts'
import { perSecond } from '#recipes/pricing.ts'

/** High Resolution Copy. No recipe yet. */
export const exampleHighResolutionVideo = announcePreset({
  slug: 'example-high-resolution-video',
  name: 'High Resolution Copy',
  description: 'The whole video as a clean, high quality file that plays on every device.',
  tab: 'full-scene',
  price: perSecond(1),
})
