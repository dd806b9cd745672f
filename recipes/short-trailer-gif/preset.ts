import { announcePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'

/** Short Trailer GIF. No recipe yet. */
export const shortTrailerGif = announcePreset({
  slug: 'short-trailer-gif',
  name: 'Short Trailer GIF',
  description: 'A trailer of a few seconds as one GIF, small enough to send in a message.',
  tab: 'promotional',
  price: perEdit(200),
  hasOptions: true,
})
