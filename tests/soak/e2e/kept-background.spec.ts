import type { Page } from '@playwright/test'
import { makeNoise } from '#tests/e2e/flow-media.ts'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { seedVideo } from '#tests/e2e/seed.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import {
  chooseByPath,
  inProfile,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import { beginUpload, expectDone, installApp, signInContext } from '#tests/faults/upload-page.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'

// Lines break, and space ends.
test.use({ expectedNoise: FAILED_REQUESTS })

let world: FaultWorld
test.beforeAll(async () => {
  world = await startFaultWorld()
})
test.afterAll(async () => {
  await world.dispose()
})

/**
 * A person with so many finished edits of one video, at most two an order; each has about 2.5 MB a
 * second.
 */
async function seedEdits(count: number, seconds = 10): Promise<TestClient> {
  const scene = test.info().outputPath('scene.mp4')
  await makeNoise(scene, seconds)
  const server = { ...world.server, origin: world.proxy.origin }
  const { client, uploadRequestId } = await seedVideo(server, scene)
  for (let left = count; left > 0; left -= 2) {
    const slugs = (['voice-mask-full-scene', 'enhanced-audio-full-scene'] as const).slice(0, left)
    const { _id: mediaJobId } = await requestEdits(
      client,
      uploadRequestId,
      slugs.map((mediaJobTaskPresetSlug) => ({ mediaJobTaskPresetSlug })),
    )
    await payFor(client, mediaJobId)
    const statuses = async () =>
      (await fetchJob(client, mediaJobId)).tasks.map(({ status }) => status)
    await expect.poll(statuses, { timeout: patience(180) }).toEqual(slugs.map(() => 'succeeded'))
  }
  return client
}

/**
 * A browser with a profile on disk: a private window has no Background Fetch. `again` kills it and
 * starts it on the same profile.
 */
const withBrowser = (
  device: string,
  client: TestClient,
  work: (browser: KillableChromium, again: () => Promise<KillableChromium>) => Promise<void>,
) =>
  inProfile(async (profile) => {
    let browser = await startChromium(profile)
    try {
      await signInContext(browser.context, client, device)
      await installApp(browser.context, world.proxy.origin)
      await work(browser, async () => {
        await browser.kill()
        browser = await startChromium(profile)
        // Cookies that end with the browser.
        await signInContext(browser.context, client, device)
        return browser
      })
    } finally {
      await browser.kill()
    }
  })

async function openEdits({ context }: KillableChromium, orders = 1): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${world.proxy.origin}/edits`)
  const shows = page.getByRole('button', { name: /^Show Edits of / })
  for (let left = orders; left > 0; left -= 1) {
    await expect(shows).toHaveCount(left)
    await shows.first().click()
  }
  return page
}

const keeps = (page: Page) => page.getByRole('button', { name: /^Keep on this device: / })
const removes = (page: Page) => page.getByRole('button', { name: /^Remove .* from this device$/ })
const previews = (page: Page) => page.getByLabel(/^Preview of /)
const percent = async (page: Page) =>
  Number(
    await page.getByRole('progressbar', { name: 'Getting the file' }).getAttribute('aria-valuenow'),
  )

test('PHO-04 a file that is kept goes on arriving with the app closed, asked for once', async () => {
  const device = 'kept-closed'
  const downloads: string[] = []
  world.proxy.setChange(device, {
    headers: (headers, path) => {
      if (path.endsWith('/download')) downloads.push(path)
      return headers
    },
    bytesPerSecond: (path) => (path.endsWith('/download') ? 2 * MIB : null),
  })
  await withBrowser(device, await seedEdits(1), async (browser) => {
    const page = await openEdits(browser)
    await keeps(page).first().click()
    await expect(page.getByText('Goes on when you close this page.')).toBeVisible()
    await expect.poll(() => percent(page), { timeout: patience(30) }).toBeGreaterThan(0)
    expect(await percent(page)).toBeLessThan(90)
    await page.close()
    await expect.poll(() => world.proxy.isMoving(device), { timeout: patience(60) }).toBe(false)
    const next = await openEdits(browser)
    await expect(removes(next)).toBeVisible()
    expect(downloads).toHaveLength(1)
    await next.getByRole('button', { name: /^Play / }).click()
    await expect(next.getByLabel(/^Preview of /)).toHaveAttribute('src', /^blob:/)
  })
})

test('PHO-04 PHO-08 five files of 80 MB arrive after their page was closed, play with the server off, and leave within a second', async () => {
  const device = 'kept-five'
  const FILES = 5
  const SECONDS = 32
  const ORDERS = Math.ceil(FILES / 2)
  const client = await seedEdits(FILES, SECONDS)
  const downloads: string[] = []
  let pace = 1.5 * MIB
  world.proxy.setChange(device, {
    headers: (headers, path) => {
      if (path.endsWith('/download')) downloads.push(path)
      return headers
    },
    bytesPerSecond: (path) => (path.endsWith('/download') ? pace : null),
  })
  await withBrowser(device, client, async (browser, again) => {
    const page = await openEdits(browser, ORDERS)
    for (let left = FILES; left > 0; left -= 1) {
      await expect(keeps(page)).toHaveCount(left)
      // Without a press for each the browser asks the person.
      await keeps(page).first().click()
    }
    await expect(page.getByText('Goes on when you close this page.')).toHaveCount(FILES)
    // Chromium gets one after the other, so that the first has nearly come by then.
    const percents = async () => {
      const bars = page.getByRole('progressbar', { name: 'Getting the file' })
      const each = await bars.evaluateAll((all) => all.map((bar) => Number(bar.ariaValueNow)))
      return each.reduce((sum, one) => sum + one, 0)
    }
    await expect.poll(percents, { timeout: patience(120) }).toBeGreaterThan(18 * FILES)
    // None was taken back while it stood in the line of the browser.
    await expect(page.getByText('Goes on when you close this page.')).toHaveCount(FILES)
    await page.close()
    pace = 16 * MIB
    const isOver = () => downloads.length === FILES && !world.proxy.isMoving(device)
    await expect.poll(isOver, { timeout: patience(180) }).toBe(true)
    const next = await openEdits(browser, ORDERS)
    await expect(removes(next)).toHaveCount(FILES)
    expect(new Set(downloads).size).toBe(FILES)
    expect(downloads).toHaveLength(FILES)
    expect(await next.evaluate(keptBytes)).toBeGreaterThan(FILES * 75_000_000)

    await world.server.stop()
    const cold = await openEdits(await again(), ORDERS)
    for (let played = 0; played < FILES; played += 1) {
      await cold
        .getByRole('button', { name: /^Play / })
        .first()
        .click()
      await expect(previews(cold)).toHaveCount(played + 1)
    }
    for (const video of await previews(cold).all()) {
      await expect(video).toHaveAttribute('src', /^blob:/)
      await expect
        .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
        .toBeGreaterThan(0.1)
      expect(await video.evaluate(seek, SECONDS - 2)).toEqual([SECONDS - 2, null, true])
    }

    // A network that answers nothing, which is worse than none.
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const mended = world.proxy.cutUntil(device, over, 'dead')
    const goneAfterMs = cold.evaluate(msFromPressToNoBytes)
    await cold.setViewportSize({ width: 1280, height: 800 })
    await cold.getByRole('button', { name: 'Account', exact: true }).click()
    await cold.getByRole('menuitem', { name: 'Logout' }).click()
    expect(await goneAfterMs).toBeLessThan(patience(1))
    await expect(cold.getByRole('heading', { name: /^Log In/ })).toBeVisible()
    expect(await cold.evaluate(keptBytes)).toBe(0)
    end()
    await mended
    await world.server.start()
  })
})

/** Where it is, whether it failed, and whether there is a picture. Runs in the page. */
async function seek(video: HTMLVideoElement, seconds: number): Promise<unknown> {
  const isThere = new Promise((resolve) => {
    video.addEventListener('seeked', resolve, { once: true })
  })
  video.pause()
  video.currentTime = seconds
  await isThere
  return [video.currentTime, video.error, video.readyState >= 2]
}

/** What lies in the browser's own file system. Runs in the page. */
async function keptBytes(): Promise<number> {
  const sizeOf = async (folder: FileSystemDirectoryHandle): Promise<number> => {
    let sum = 0
    for await (const { kind, name } of folder.values())
      sum +=
        kind === 'directory'
          ? await sizeOf(await folder.getDirectoryHandle(name))
          : (await (await folder.getFileHandle(name)).getFile()).size
    return sum
  }
  return sizeOf(await navigator.storage.getDirectory())
}

/** From the last press to when no file lies there any more. Runs in the page. */
async function msFromPressToNoBytes(): Promise<number> {
  let pressedAt = 0
  window.addEventListener('click', () => (pressedAt = performance.now()), { capture: true })
  const hasFiles = async (folder: FileSystemDirectoryHandle): Promise<boolean> => {
    for await (const { kind, name } of folder.values())
      if (kind === 'file' || (await hasFiles(await folder.getDirectoryHandle(name)))) return true
    return false
  }
  const root = await navigator.storage.getDirectory()
  // A folder may go while it is read.
  while (await hasFiles(root).catch(() => true)) await new Promise(requestAnimationFrame)
  return performance.now() - pressedAt
}

test('PHO-08 logging out ends what the browser gets', async () => {
  const device = 'kept-left'
  world.proxy.setChange(device, {
    bytesPerSecond: (path) => (path.endsWith('/download') ? MIB : null),
  })
  await withBrowser(device, await seedEdits(1), async (browser) => {
    const page = await openEdits(browser)
    await keeps(page).first().click()
    await expect.poll(() => percent(page), { timeout: patience(30) }).toBeGreaterThan(0)
    expect(await page.evaluate(countFetches)).toBe(1)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible()
    await expect.poll(() => page.evaluate(countFetches)).toBe(0)
    await expect.poll(() => world.proxy.isMoving(device)).toBe(false)
  })
})

/** What the browser still has to get. Runs in the page. */
async function countFetches(): Promise<number> {
  const registration = await navigator.serviceWorker.ready
  const { backgroundFetch } = registration as unknown as {
    readonly backgroundFetch: { getIds(): Promise<readonly string[]> }
  }
  return (await backgroundFetch.getIds()).length
}

test('PHO-04 with the device full, the app says so, no kept file is lost, and uploads go on', async () => {
  const device = 'kept-full'
  const client = await seedEdits(2)
  await withBrowser(device, client, async (browser) => {
    const page = await openEdits(browser)
    const devtools = await browser.context.newCDPSession(page)
    const { origin } = world.proxy
    // What `estimate` says of the quota is the same for all devices in this browser.
    const leave = async (bytes: number): Promise<void> => {
      const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
      await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + bytes })
    }
    const saysSo = () =>
      expect(page.getByText('There was no room for this file.')).toBeVisible({
        timeout: patience(60),
      })
    await keeps(page).first().click()
    await expect(removes(page)).toHaveCount(1, { timeout: patience(60) })

    await leave(MIB)
    await keeps(page).click()
    await saysSo()
    await page.reload()
    await page.getByRole('button', { name: /^Show Edits of / }).click()
    await expect(removes(page)).toHaveCount(1)

    // Other sites take what was free while the file comes.
    await devtools.send('Storage.overrideQuotaForOrigin', { origin })
    world.proxy.setChange(device, {
      bytesPerSecond: (path) => (path.endsWith('/download') ? 2 * MIB : null),
    })
    await page.getByRole('button', { name: /^Get it again: / }).click()
    await expect.poll(() => percent(page), { timeout: patience(30) }).toBeGreaterThan(0)
    await leave(MIB)
    await saysSo()

    const file = await world.makeFile('while full.mp4', 12 * MIB)
    const other = await browser.context.newPage()
    const uploadRequestId = await beginUpload(other, world.proxy.origin, chooseByPath(file.path))
    await expectDone(other)
    expect(await world.storedSha256(uploadRequestId)).toBe(file.sha256)

    await page.bringToFront()
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .click()
    const video = page.getByLabel(/^Preview of /)
    await expect(video).toHaveAttribute('src', /^blob:/)
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
      .toBeGreaterThan(1)
  })
})
