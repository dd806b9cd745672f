import { definePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'
import { teaser } from '#recipes/teaser.ts'
import { TEASER_SHORT_SECONDS } from '#spec/numbers.ts'

/** The 15 second teaser for the whole screen of a phone that is held upright. */
export const teaserUpright = definePreset({
  slug: 'teaser-upright',
  name: 'Upright Teaser',
  description:
    'The best moments in 15 seconds upright (9:16), cut out around the people: made for stories and reels.',
  tab: 'promotional',
  price: perEdit(300),
  ...teaser({
    slug: 'teaser-upright',
    lengthMs: TEASER_SHORT_SECONDS * 1000,
    cuts: 6,
    crossFadeMs: 250,
    buttonText: 'Download upright teaser',
    shape: { width: 1080, height: 1920 },
  }),
})
