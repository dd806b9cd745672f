import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { isControlled } from '#tests/e2e/shell.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

// An installation breaks off here.
test.use({ expectedNoise: FAILED_REQUESTS })

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
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

test('MIS-01 an install that breaks off is given up without an error and done at the next visit', async ({
  page,
}) => {
  const built = await serveBuilt()
  const isRegistered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
  try {
    built.setInstallBroken(true)
    await page.goto(built.origin)
    await expect.poll(built.brokenRequests).toBeGreaterThan(0)
    await expect.poll(isRegistered).toBe(false)
    built.setInstallBroken(false)
    await page.reload()
    await expect.poll(() => isControlled(page)).toBe(true)
  } finally {
    await built.close()
  }
})

/** The built files from a server that the test can keep from answering a service worker. */
async function serveBuilt() {
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
    readFile(new URL(`../../../dist${name}`, import.meta.url)).then(
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
    close: async () => {
      files.closeAllConnections()
      await new Promise((resolve) => {
        files.close(resolve)
      })
    },
  }
}
