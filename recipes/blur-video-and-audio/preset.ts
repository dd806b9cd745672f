import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Blurred Video and Audio. No recipe yet. */
export const blurVideoAndAudio = announcePreset({
  slug: 'blur-video-and-audio',
  name: 'Blurred Video and Audio',
  description:
    'The whole video with picture and sound softened, to show what waits behind the paywall without giving it away.',
  tab: 'promotional',
  badge: 'new',
  price: perMinute(15),
})
