import { definePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'
import { teaser } from '#recipes/teaser.ts'
import { TEASER_SHORT_SECONDS } from '#spec/numbers.ts'

/** The best moments in 15 seconds: six cuts, for feeds. */
export const teaser15s = definePreset({
  slug: 'teaser-15s',
  name: '15s Teaser',
  description: 'The best moments in 15 seconds, with clean cuts and even loudness: ready to post.',
  tab: 'promotional',
  badge: 'popular',
  price: perEdit(300),
  ...teaser({
    slug: 'teaser-15s',
    lengthMs: TEASER_SHORT_SECONDS * 1000,
    cuts: 6,
    crossFadeMs: 250,
    buttonText: 'Download 15s teaser',
  }),
})
