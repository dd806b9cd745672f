import { afterAll, beforeAll, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { openPlayer, type GalleryPlayer } from '#tests/setup/gallery-player.ts'

let player: GalleryPlayer
beforeAll(async () => {
  player = await openPlayer(startFirefox)
})
afterAll(() => player.close())

it.each(Object.keys(recipes))(
  'REC-28 Firefox plays what %s makes, at its size, from its start and its middle',
  async (slug) => {
    await expect(player.expectPlays(slug)).resolves.toBeUndefined()
  },
)
