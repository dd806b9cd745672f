import { definePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'
import { teaser } from '#recipes/teaser.ts'

/** The story in a minute: fourteen cuts in order of time. */
export const teaser60s = definePreset({
  slug: 'teaser-60s',
  name: '60s Teaser',
  description:
    'One minute that tells the story of the scene in order, with clean cuts and even loudness.',
  tab: 'promotional',
  price: perEdit(600),
  ...teaser({
    slug: 'teaser-60s',
    lengthMs: 60_000,
    cuts: 14,
    crossFadeMs: 350,
    buttonText: 'Download 60s teaser',
  }),
})
