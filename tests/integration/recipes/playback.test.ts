import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { openPlayer, type GalleryPlayer } from '#tests/setup/gallery-player.ts'

/** One of each kind of file: of other edits Firefox plays in the soak. */
const KINDS = [
  'social-media-gif-pack',
  'still-pack',
  'teaser-15s',
  'team-skeet-thumbnail-video',
  'example-high-resolution-video',
  'enhanced-audio-full-scene',
]

describe.each([
  { name: 'Chromium', start: startChromium, slugs: Object.keys(recipes) },
  { name: 'Firefox', start: startFirefox, slugs: KINDS },
])('$name', ({ start, slugs }) => {
  let player: GalleryPlayer
  beforeAll(async () => {
    player = await openPlayer(start)
  })
  afterAll(() => player.close())

  it.each(slugs)(
    'REC-28 plays what %s makes, at its size, from its start and its middle',
    async (slug) => {
      await expect(player.expectPlays(slug)).resolves.toBeUndefined()
    },
  )
})
