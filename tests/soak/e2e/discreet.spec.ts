import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { seedVideo } from '#tests/e2e/seed.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

test('PHO-05 the page that the service worker answers with has the plain name from its first byte, and installs as it', async ({
  context,
  page,
}) => {
  await beSignedIn(page, server)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto(`${server.origin}/user-profile`)
  const box = page.getByRole('checkbox', { name: 'Call it “Planner” on this device' })
  await page.getByText('Call it “Planner” on this device').click()
  await expect(box).toBeChecked()
  await page.getByText('Plain words in mails and messages').click()
  await photograph(page, 'discreet')
  await expect.poll(() => page.title()).toBe('Planner')

  const html = await (await page.reload())?.text()
  expect(html).toContain('<title>Planner</title>')
  expect(html?.slice(0, html.indexOf('</head>'))).not.toMatch(/>[^<]*onecut/i)
  await expect(box).toBeChecked()
  const devtools = await context.newCDPSession(page)
  const { url, data } = await devtools.send('Page.getAppManifest')
  expect(url).toBe(`${server.origin}/plain.webmanifest`)
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Planner', id: '/?plain' })
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Which is the test's own window.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])

  await page.getByText('Call it “Planner” on this device').click()
  await expect.poll(() => page.title()).toBe('Your Account · Onecut')
  expect(await (await page.reload())?.text()).toContain('<title>Onecut</title>')
})

/** Widths of all pictures that lie in the databases, files and caches of the site, but its own. */
function widthsOnDevice(page: Page): Promise<readonly number[]> {
  return page.evaluate(async () => {
    const widths: number[] = []
    const look = async (found: Blob): Promise<void> => {
      const bitmap = await createImageBitmap(found).catch(() => null)
      if (bitmap !== null) widths.push(bitmap.width)
    }
    const walkValue = async (value: unknown): Promise<void> => {
      if (value instanceof Blob) return await look(value)
      if (ArrayBuffer.isView(value)) return await look(new Blob([value as BlobPart]))
      if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) await walkValue(inner)
    }
    const ask = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('no answer'))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await ask(indexedDB.open(name))
      for (const store of db.objectStoreNames)
        await walkValue(await ask(db.transaction(store).objectStore(store).getAll()))
      db.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        if (request.url.includes('/editors/api/'))
          await look((await (await cache.match(request))?.blob()) ?? new Blob())
    }
    const walkFiles = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const { kind, name } of folder.values())
        if (kind === 'directory') await walkFiles(await folder.getDirectoryHandle(name))
        else await look(await (await folder.getFileHandle(name)).getFile())
    }
    await walkFiles(await navigator.storage.getDirectory())
    return widths
  })
}

test('PHO-05 a discreet device has no picture of a video but mosaics, also while one is looked at', async ({
  context,
  page,
}) => {
  const scene = test.info().outputPath('beach day.mp4')
  const source = '-v error -y -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine -t 5'
  const coded = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'
  await promisify(execFile)('ffmpeg', [...`${source} ${coded}`.split(' '), scene])
  const { client, uploadRequestId } = await seedVideo(server, scene)
  const { _id: mediaJobId } = await requestEdits(client, uploadRequestId, [
    { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
  ])
  await payFor(client, mediaJobId)
  await signInContext(context, client, 'direct')
  await expect
    .poll(async () => (await fetchJob(client, mediaJobId)).tasks[0]?.status, {
      timeout: patience(120),
    })
    .toBe('succeeded')
  await page.goto(`${server.origin}/edits`)
  // What is looked for is there, so that finding none later says something.
  await expect.poll(() => widthsOnDevice(page)).toEqual([640])
  await photograph(page, 'pictures')

  await page.goto(`${server.origin}/user-profile`)
  await page.getByText('Call it “Planner” on this device').click()
  await expect.poll(() => widthsOnDevice(page)).toEqual([24])
  await page.goto(`${server.origin}/edits`)
  const show = page.getByRole('button', { name: /^Show the picture of / })
  await expect(show).toBeVisible()
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await photograph(page, 'mosaics')
  expect(await page.locator('main video').count()).toBe(0)
  const answered = page.waitForResponse(/\/thumbnail/)
  await show.click()
  expect((await answered).headers()['cache-control']).toBe('no-store')
  await expect(page.getByRole('button', { name: /^Hide the picture of / })).toBeVisible()
  await photograph(page, 'mosaic-shown')
  expect(await widthsOnDevice(page)).toEqual([24])
  // A new device of the same discreet person: no other picture is ever stored.
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases())
      if (name.startsWith('onecut-account')) indexedDB.deleteDatabase(name)
  })
  await page.goto(`${server.origin}/edits`)
  await expect.poll(() => widthsOnDevice(page)).toEqual([24])
})
