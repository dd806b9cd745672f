import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Enhanced Audio. No recipe yet. */
export const enhancedAudioFullScene = announcePreset({
  slug: 'enhanced-audio-full-scene',
  name: 'Enhanced Audio',
  description:
    'The whole video with clearer voices and even loudness; the picture stays untouched.',
  tab: 'full-scene',
  price: perMinute(15),
})
