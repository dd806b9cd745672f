import { watchFirstTeaser } from '#tests/e2e/first-teaser.ts'
import { expect, test } from '#tests/e2e/journey.ts'

test.use({ serviceWorkers: 'block' })

test('NOW-01 a teaser of an MKV is paid, made and watched long before its video has arrived', async ({
  page,
  world,
}) => {
  const { state, share } = await watchFirstTeaser(page, world, 'mkv')
  expect(state).toBe('open')
  expect(share).toBeLessThan(0.5)
})
