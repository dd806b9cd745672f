import { watchFirstTeaser } from './first-teaser.ts'
import { expect, test } from './journey.ts'

// Nothing here begins offline; without a service worker the page loads less.
test.use({ serviceWorkers: 'block' })

test('NOW-01 NOW-04 a teaser whose moments are chosen is paid, made and watched long before its video has arrived', async ({
  page,
  world,
}) => {
  const { state, share } = await watchFirstTeaser(page, world, 'mp4')
  expect(state).toBe('open')
  expect(share).toBeLessThan(0.5)
})
