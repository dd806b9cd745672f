import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Remove Background Music. No recipe yet. */
export const removeBackgroundMusic = announcePreset({
  slug: 'remove-background-music',
  name: 'Remove Background Music',
  description:
    'The whole video with music turned down behind the voices, so that a platform does not mute it.',
  tab: 'full-scene',
  price: perMinute(30),
})
