import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { anyOf, expect, FAILED_REQUESTS, test } from './quiet.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpCreator } from '#tests/setup/e2e-sign-up.ts'

// The server goes away here, and scripts do not arrive.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /^Failed to fetch dynamically imported/) })

const SCRIPT = '**/assets/app-*.js'
let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

const isControlled = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })

test('MIS-01 with the server gone the app starts, signed in, with what the device has; it can be installed, and keeps nothing of the API beside that', async ({
  page,
}) => {
  await signInContext(page.context(), await signUpCreator(server), 'direct')
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
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

test('MIS-01 APP-15 an install that breaks off is done at the next visit, which says once that the app works offline; a new version waits, and reloads the page once when accepted', async ({
  page,
}) => {
  const copy = await serveCopy()
  const isRegistered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
  try {
    copy.setInstallBroken(true)
    await page.goto(copy.origin)
    await expect.poll(copy.brokenRequests).toBeGreaterThan(0)
    await expect.poll(isRegistered).toBe(false)
    copy.setInstallBroken(false)
    await page.reload()
    await dragAway(page)
    await expect.poll(() => isControlled(page)).toBe(true)

    await page.getByRole('heading', { level: 1 }).click()
    await copy.release()
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update()
    })
    await expect(page.getByText('A new version of Onecut is ready.')).toBeVisible()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => loads).toBe(1)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('A new version of Onecut is ready.')).toHaveCount(0)
    expect(loads).toBe(1)
  } finally {
    await copy.close()
  }
})

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

test.describe('before the app', () => {
  // What an earlier visit cached would come at once.
  test.use({ serviceWorkers: 'block' })

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

  test('MIS-01 a browser that never answers for its storage is said to be silent, and the next try starts the app', async ({
    page,
  }) => {
    await signInContext(page.context(), await signUpCreator(server), 'direct')
    await page.addInitScript(() => {
      if (sessionStorage.getItem('answers') === null)
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    })
    await page.clock.install()
    await page.goto(`${server.origin}/edits`)
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(1)
    await page.clock.runFor(11_000)
    await expect(
      page.getByRole('heading', { level: 1, name: 'This browser does not answer' }),
    ).toBeVisible()
    await page.evaluate(() => sessionStorage.setItem('answers', 'yes'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  })

  test('a page shows its heading before its script, keeps its place and the focus when the app takes over, and says when the script does not arrive', async ({
    page,
  }) => {
    await signInContext(page.context(), await signUpCreator(server), 'direct')
    const heading = page.getByRole('heading', { level: 1, name: 'Your Edits' })
    const shell = page.locator('main[aria-busy=true]')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    for (const [width, height] of [
      [360, 780],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
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
    }
    await page.keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()

    await page.route(SCRIPT, (route) => route.abort())
    await page.goto(`${server.origin}/edits`, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: 'Onecut did not load' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText(
      'A part of the page did not arrive. Check your connection, then try again.',
    )
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(heading).toBeVisible()
    await expect(shell).toHaveCount(0)
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

/** The built files from a folder whose service worker the test can change, as a release would. */
async function serveCopy() {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-release-'))
  await cp(new URL('../../dist', import.meta.url), folder, { recursive: true })
  const types: Readonly<Record<string, string>> = {
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.html': 'text/html',
    '.svg': 'image/svg+xml',
    '.webmanifest': 'application/manifest+json',
  }
  let isInstallBroken = false
  let brokenRequests = 0
  const files = createServer((request, response) => {
    // By this name only the service worker asks for the page.
    if (isInstallBroken && request.url === '/index.html') {
      brokenRequests += 1
      request.socket.destroy()
      return
    }
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = extname(path) === '' && !path.startsWith('/editors') ? '/index.html' : path
    readFile(join(folder, name)).then(
      (bytes) =>
        response
          .writeHead(200, {
            'content-type': types[extname(name)] ?? 'application/octet-stream',
            'cache-control': 'no-cache',
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => {
    files.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(files.address() as AddressInfo).port}`,
    setInstallBroken: (isBroken: boolean) => {
      isInstallBroken = isBroken
    },
    brokenRequests: () => brokenRequests,
    release: async () => {
      await writeFile(
        join(folder, 'sw.js'),
        `${await readFile(join(folder, 'sw.js'), 'utf8')}\n// the next version`,
      )
    },
    close: async () => {
      files.closeAllConnections()
      await new Promise((resolve) => {
        files.close(resolve)
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
