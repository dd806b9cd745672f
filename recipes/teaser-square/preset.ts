import { definePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'
import { teaser } from '#recipes/teaser.ts'
import { TEASER_SHORT_SECONDS } from '#spec/numbers.ts'

/** The 15 second teaser as a square, for feeds. */
export const teaserSquare = definePreset({
  slug: 'teaser-square',
  name: 'Square Teaser',
  description:
    'The best moments in 15 seconds as a square (1:1), cut out around the people: made for feeds.',
  tab: 'promotional',
  price: perEdit(300),
  ...teaser({
    slug: 'teaser-square',
    lengthMs: TEASER_SHORT_SECONDS * 1000,
    cuts: 6,
    crossFadeMs: 250,
    buttonText: 'Download square teaser',
    shape: { width: 1080, height: 1080 },
  }),
})
