import { announcePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'

/** Low Resolution Copy. No recipe yet. */
export const exampleLowResolutionVideo = announcePreset({
  slug: 'example-low-resolution-video',
  name: 'Low Resolution Copy',
  description: 'The whole video as a small 480p file, for quick sharing and slow connections.',
  tab: 'full-scene',
  price: perEdit(50),
})
