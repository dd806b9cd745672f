import { announcePreset } from '#recipes/define-preset.ts'
import { perEdit } from '#recipes/pricing.ts'

/** Thumbnail Video. No recipe yet. */
export const teamSkeetThumbnailVideo = announcePreset({
  slug: 'team-skeet-thumbnail-video',
  name: 'Thumbnail Video',
  description: 'A few silent seconds that play when a visitor hovers over your video in a listing.',
  tab: 'promotional',
  price: perEdit(300),
})
