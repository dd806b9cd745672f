import { expect, test } from '#tests/e2e/quiet.ts'
import { expectAccessible } from '#tests/e2e/accessible.ts'
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
  { path: '/terms-of-use', heading: 'Terms of Use' },
  { path: '/privacy-policy', heading: 'Privacy Policy' },
  { path: '/content-policy', heading: 'Content Policy' },
  { path: '/report', heading: 'Report a video' },
  { path: '/licences', heading: 'Licences' },
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

test('LND-06 the front page is whole without scripts, and its links lead into the app', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(server.origin)
  await expect(page.getByRole('heading', { name: 'One Simple Plan' })).toBeVisible()
  await expect(page.getByText(/^Today \d+: /)).toBeVisible()
  expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(
    /^http.*preview\.jpg$/,
  )
  await context.close()
})
