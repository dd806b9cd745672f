import { announcePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'

/** Brand Trailer. No recipe yet. */
export const teamSkeetTrailer = announcePreset({
  slug: 'team-skeet-trailer',
  name: 'Brand Trailer',
  description:
    'A 60 second trailer between the opening and closing logos of your brand, with music if you like.',
  tab: 'promotional',
  price: perEdit(900),
  hasOptions: true,
})
