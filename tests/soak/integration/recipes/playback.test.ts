import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { openPlayer, type GalleryPlayer } from '#tests/setup/gallery-player.ts'

describe.each([
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: startFirefox },
])('$name', ({ start }) => {
  let player: GalleryPlayer
  beforeAll(async () => {
    player = await openPlayer(start)
  })
  afterAll(() => player.close())

  it.each(Object.keys(recipes))(
    'REC-28 plays what %s makes, at its size, from its start and its middle',
    async (slug) => {
      await expect(player.expectPlays(slug)).resolves.toBeUndefined()
    },
  )
})
