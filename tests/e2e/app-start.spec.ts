import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { anyOf, FAILED_REQUESTS } from './quiet.ts'
import { holdApp, isControlled, placesOf, SCRIPT } from './shell.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import type { FaultWorld } from '#tests/faults/fault-world.ts'
import { signUpCreator } from '#tests/setup/e2e-sign-up.ts'

// The server goes away here, and scripts do not arrive.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /^Failed to fetch dynamically imported/) })

const DEVICE = 'starting'

test('MIS-01 APP-15 the app can be installed, says once that it works offline, keeps nothing of the API, takes a new version when it is accepted, and starts with the server gone, signed in, with what the device has', async ({
  page,
  world,
  server,
}) => {
  await signInContext(page.context(), await signUpCreator(server), DEVICE)
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  await dragAway(page)
  await expect.poll(() => isControlled(page)).toBe(true)
  await expectInstallable(page)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  // Whether they came in the pack or by themselves.
  for (const path of kept.filter((one) => /\/app-[^/]*\.js$|^\/presets\/tube-cut/.test(one))) {
    const fresh = await fetch(server.origin + path)
    expect(await keptHeaders(page, path)).toEqual(OF_A_FILE.map((name) => fresh.headers.get(name)))
  }
  expect(kept.filter((path) => path.startsWith('/editors') || path.startsWith('/dev'))).toEqual([])
  await takeNewVersion(page, world)
  await server.kill()
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  await expect(
    page.getByText(/^Offline\. Showing what this device has, as of \d{1,2}:\d\d [AP]M$/),
  ).toBeVisible()
  // A file that does not exist is an error, never the page. The service worker answers for the
  // second one, because it keeps such files, and must handle its own failed request.
  for (const file of ['/assets/missing.js', '/assets/ffmpeg-core-missing0.wasm'])
    expect(
      await page.evaluate(
        (address) =>
          fetch(address).then(
            (answer) => answer.status,
            () => 'no answer',
          ),
        file,
      ),
    ).toBe('no answer')
  await server.start()
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: '1,000 tokens' })).toBeVisible()
})

const OF_A_FILE = ['content-type', 'content-security-policy', 'x-content-type-options']

/** Of a file as the service worker keeps it. */
function keptHeaders(page: Page, path: string): Promise<readonly (string | null)[]> {
  return page.evaluate(
    async ([wanted, names]) => {
      const kept = await caches.match(wanted, { ignoreSearch: true })
      return names.map((name) => kept?.headers.get(name) ?? null)
    },
    [path, OF_A_FILE] as const,
  )
}

async function expectInstallable(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Playwright's contexts are incognito, where nothing can be installed; every other reason counts.
  expect(
    installabilityErrors.map((error) => error.errorId).filter((id) => id !== 'in-incognito'),
  ).toEqual([])
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? '{}')).toMatchObject({
    name: 'Onecut',
    start_url: '/edits',
    display: 'standalone',
  })
}

/** The message of the first visit, which goes when it is dragged by 80 percent of its width. */
async function dragAway(page: Page): Promise<void> {
  const message = page.getByText('Onecut is ready to work offline')
  await expect(message).toBeVisible()
  const box = await page.locator('[data-kind=success]').boundingBox()
  if (box === null) throw new Error('the message is not drawn')
  const drag = async (share: number) => {
    await page.mouse.move(box.x + 60, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 60 + box.width * share, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
  }
  await drag(0.6)
  await expect(message).toBeVisible()
  await drag(-0.85)
  await expect(message).toBeHidden()
}

/** A new version waits, is offered, and reloads the page once when it is accepted. */
async function takeNewVersion(page: Page, { proxy }: FaultWorld): Promise<void> {
  // Its service worker lists the page under another revision.
  proxy.setChange(DEVICE, {
    hasText: (path) => path === '/sw.js',
    text: (text) =>
      text.replace(/"revision":"[0-9a-f]+"(?=,"url":"index\.html")/, '"revision":"next"'),
  })
  await page.getByRole('heading', { level: 1 }).click()
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  const offer = page.getByText('A new version of Onecut is ready.')
  await expect(offer).toBeVisible()
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => loads).toBe(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(offer).toHaveCount(0)
  expect(loads).toBe(1)
}

test.describe('before the app', () => {
  // What an earlier visit cached would come at once.
  test.use({ serviceWorkers: 'block' })

  test('MIS-01 a page shows its heading before its script, keeps its place and the focus when the app takes over, and says when the script or the storage does not answer; a visitor at its address sees no private shell', async ({
    page,
    server,
  }) => {
    const heading = page.getByRole('heading', { level: 1, name: 'Your Edits' })
    const shell = page.locator('main[aria-busy=true]')
    const skip = page.getByRole('link', { name: 'Skip to content' })

    // The login decides, not the address.
    const releaseVisitor = await holdApp(page)
    await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
    await expect(shell).toHaveCount(1)
    await expect(heading).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
    await releaseVisitor()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Spend Less Time Editing, More Time Living' }),
    ).toBeVisible()

    await page.setViewportSize({ width: 360, height: 780 })
    await signInContext(page.context(), await signUpCreator(server), 'direct')
    const release = await holdApp(page)
    await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
    await expect(heading).toBeVisible()
    await expect(shell).toHaveCount(1)
    await expect(page.getByRole('button', { disabled: false })).toHaveCount(0)
    await page.evaluate(() => document.fonts.ready)
    const before = await placesOf(page)
    await page.keyboard.press('Tab')
    await expect(skip).toBeFocused()
    await release()
    await expect(shell).toHaveCount(0)
    await expect(heading).toBeVisible()
    expect(await placesOf(page)).toEqual(before)
    await expect(skip).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()

    await page.route(SCRIPT, (route) => route.abort())
    await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: 'Onecut did not load' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText(
      'A part of the page did not arrive. Check your connection, then try again.',
    )
    await page.unrouteAll({ behavior: 'wait' })
    await page.addInitScript(() => {
      if (sessionStorage.getItem('answers') === null)
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    })
    await page.clock.install()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(shell).toHaveCount(1)
    await page.clock.runFor(11_000)
    await expect(
      page.getByRole('heading', { level: 1, name: 'This browser does not answer' }),
    ).toBeVisible()
    await page.evaluate(() => sessionStorage.setItem('answers', 'yes'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(heading).toBeVisible()
    await expect(shell).toHaveCount(0)
  })
})
