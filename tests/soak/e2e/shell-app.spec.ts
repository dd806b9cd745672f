import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import type { Page } from '@playwright/test'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

// The server goes away here.
test.use({ expectedNoise: FAILED_REQUESTS })

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

test('MIS-01 the browser finds nothing that speaks against installing', async ({ page }) => {
  await page.goto(`${server.origin}/login`)
  await expect.poll(() => isControlled(page)).toBe(true)
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
})

test('APP-15 the first visit says once that the app works offline; the message stays while one points at it and closes 5 seconds later', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(`${server.origin}/login`)
  const message = page.getByText('Onecut is ready to work offline')
  await expect(message).toBeVisible()
  await message.hover()
  await page.clock.runFor(20_000)
  await expect(message).toBeVisible()
  await page.mouse.move(5, 400)
  await page.clock.runFor(5000)
  await expect(message).toBeHidden()
  await page.reload()
  await expect.poll(() => isControlled(page)).toBe(true)
  await expect(message).toHaveCount(0)
})

test('APP-15 a message can be dragged away, but not by less than 80 percent of its width', async ({
  page,
}) => {
  await page.goto(`${server.origin}/login`)
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
})

test('MIS-01 with the server gone the app starts, signed in, with what the device has', async ({
  page,
}) => {
  await beSignedIn(page, server)
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  await expect.poll(() => isControlled(page)).toBe(true)
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

test('MIS-01 nothing of the API is ever kept by the service worker', async ({ page }) => {
  await beSignedIn(page, server)
  await page.goto(`${server.origin}/edits`)
  await expect(page.getByRole('heading', { name: 'Your Edits', exact: true })).toBeVisible()
  await expect.poll(() => isControlled(page)).toBe(true)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => path.startsWith('/editors') || path.startsWith('/dev'))).toEqual([])
})

test('MIS-01 a new version waits, is offered, and reloads the page once when accepted', async ({
  page,
}) => {
  const copy = await serveCopy()
  try {
    await page.goto(copy.origin)
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

test('MIS-01 an install that breaks off is given up without an error and done at the next visit', async ({
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
    await expect.poll(() => isControlled(page)).toBe(true)
  } finally {
    await copy.close()
  }
})

/** The built files from a folder whose service worker the test can change, as a release would. */
async function serveCopy() {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-release-'))
  await cp(new URL('../../../dist', import.meta.url), folder, { recursive: true })
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
