import { announcePreset } from '#recipes/define-preset.ts'
import { perMinute } from '#recipes/pricing.ts'

/** Incognito Scene. No recipe yet. */
export const incognitoFullScene = announcePreset({
  slug: 'incognito-full-scene',
  name: 'Incognito Scene',
  description:
    'The whole video with faces blurred and, if you choose, voices changed: private in one go.',
  tab: 'full-scene',
  price: perMinute(75),
  hasOptions: true,
})
