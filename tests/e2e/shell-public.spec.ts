import { expect, test, FAILED_REQUESTS, anyOf } from './quiet.ts'
import { expectAccessible } from './accessible.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})
// Every visit is a first one: what another test cached must not hide a failure.
test.use({ serviceWorkers: 'block' })

const publicScreens = [
  { path: '/', heading: 'Spend Less Time Editing, More Time Living' },
  { path: '/signup', heading: 'Create your account' },
  { path: '/login', heading: 'Log In to the product' },
  { path: '/invite', heading: 'You are invited' },
  { path: '/referral-terms', heading: 'Referral Terms' },
  { path: '/not-authorized', heading: 'Not authorized' },
  { path: '/nowhere/at/all', heading: 'Page not found' },
] as const

for (const { path, heading } of publicScreens)
  test(`APP-01 ${path} renders signed out, light and dark, wide and small, and axe finds nothing`, async ({
    page,
  }) => {
    await page.goto(server.origin + path)
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
          ),
          'nothing stands out at the side',
        ).toBe(true)
        await expectAccessible(page)
      }
    }
  })

test.describe('without the files of a screen', () => {
  test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /a screen failed/) })
  test('APP-04 a screen whose files cannot be loaded ends there too, and Reload mends it', async ({
    page,
  }) => {
    await page.route('**/assets/LandingScreen*.js', (route) => route.abort())
    await page.goto(server.origin)
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await page.unroute('**/assets/LandingScreen*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(
      page.getByRole('heading', { name: 'Spend Less Time Editing, More Time Living' }),
    ).toBeVisible()
  })
})

test('LND-01 the background video rests under reduced motion and can be played and paused', async ({
  page,
}) => {
  await page.goto(server.origin)
  const isPaused = () =>
    page
      .locator('video')
      .first()
      .evaluate((video: HTMLVideoElement) => video.paused)
  expect(await isPaused()).toBe(true)
  await page.getByRole('button', { name: 'Play the background video' }).click()
  await expect.poll(isPaused).toBe(false)
  await page.getByRole('button', { name: 'Pause the background video' }).click()
  await expect.poll(isPaused).toBe(true)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload()
  await expect.poll(isPaused).toBe(false)
})
