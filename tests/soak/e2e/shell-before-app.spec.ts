import type { Page } from '@playwright/test'
import { anyOf, expect, FAILED_REQUESTS, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

const SCRIPT = '**/assets/app-*.js'
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

test('a visitor at a private address sees no private shell, and the login decides, not the address', async ({
  page,
}) => {
  const release = await holdApp(page)
  await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
  await expect(page.locator('main[aria-busy=true]')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Your Edits' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  await release()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Spend Less Time Editing, More Time Living' }),
  ).toBeVisible()
})

test('the focus of the keyboard stays where it is when the app takes over', async ({ page }) => {
  await beSignedIn(page, server)
  const release = await holdApp(page)
  await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(page.locator('main[aria-busy=true]')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  await release()
  await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
})

test.describe('without the app', () => {
  test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /^Failed to fetch dynamically imported/) })

  test('a page whose script does not arrive says so, and loads at the next try', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    await page.route(SCRIPT, (route) => route.abort())
    await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: 'Onecut did not load' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText(
      'A part of the page did not arrive. Check your connection, then try again.',
    )
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your Edits' })).toBeVisible()
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
  })
})

/** Keeps the app's script on its way; returns what lets it arrive. */
async function holdApp(page: Page): Promise<() => Promise<void>> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(SCRIPT, async (route) => {
    await held
    await route.continue()
  })
  return async () => {
    letGo()
    // `unroute` would let a request go that the handler still has in its hands.
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Where the parts of the page stand that the shell and the app share. */
async function placesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    ['header', 'header a', 'h1', '[aria-label=Steps]', '[data-state=idle]', 'main > div'].map(
      (selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect()
        if (box === undefined) return `${selector} is not there`
        return `${selector}: ${[box.x, box.y, box.width].map(Math.round).join(' ')}`
      },
    ),
  )
}
