import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { openPlayer, type GalleryPlayer } from '#tests/setup/gallery-player.ts'

/** One of each kind of file: other edits are played in the soak. */
const KINDS = [
  'social-media-gif-pack',
  'still-pack',
  'teaser-15s',
  'team-skeet-thumbnail-video',
  'example-high-resolution-video',
  'enhanced-audio-full-scene',
]

describe.each([
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: startFirefox },
])('$name', ({ start }) => {
  let player: GalleryPlayer
  beforeAll(async () => {
    player = await openPlayer(start)
  })
  afterAll(() => player.close())

  it.each(KINDS)(
    'REC-28 plays what %s makes, at its size, from its start and its middle',
    async (slug) => {
      await expect(player.expectPlays(slug)).resolves.toBeUndefined()
    },
  )
})
