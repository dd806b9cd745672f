import { expect, test } from '#tests/e2e/quiet.ts'
import { holdApp, placesOf } from '#tests/e2e/shell.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})
// What an earlier visit cached would come at once.
test.use({ serviceWorkers: 'block' })

const pages = [
  { path: '/signup', heading: 'Create your account', isPrivate: false },
  { path: '/edits', heading: 'Your Edits', isPrivate: true },
  { path: '/uploads/new', heading: 'Upload your video', isPrivate: true },
] as const

for (const { path, heading, isPrivate } of pages)
  test(`${path} shows its heading before the app's script, and stays in place when the app takes over`, async ({
    page,
  }) => {
    if (isPrivate) await beSignedIn(page, server)
    for (const [width, height] of [
      [360, 780],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      const release = await holdApp(page)
      await page.goto(server.origin + path, { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.locator('main[aria-busy=true]')).toHaveCount(1)
      await expect(page.getByRole('button', { disabled: false })).toHaveCount(0)
      await page.evaluate(() => document.fonts.ready)
      const before = await placesOf(page)
      await release()
      await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      expect(await placesOf(page)).toEqual(before)
    }
  })
