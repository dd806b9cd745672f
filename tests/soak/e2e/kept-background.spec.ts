import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makeNoise } from '#tests/e2e/flow-media.ts'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { seedVideo } from '#tests/e2e/seed.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import {
  chooseByPath,
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

/** A person with these finished edits of one video, each of about 25 MB. */
async function seedEdits(count: number): Promise<TestClient> {
  const scene = test.info().outputPath('scene.mp4')
  await makeNoise(scene, 10)
  const server = { ...world.server, origin: world.proxy.origin }
  const { client, uploadRequestId } = await seedVideo(server, scene)
  const slugs = ['voice-mask-full-scene', 'enhanced-audio-full-scene'] as const
  const { _id: mediaJobId } = await requestEdits(
    client,
    uploadRequestId,
    slugs.slice(0, count).map((mediaJobTaskPresetSlug) => ({ mediaJobTaskPresetSlug })),
  )
  await payFor(client, mediaJobId)
  const statuses = async () =>
    (await fetchJob(client, mediaJobId)).tasks.map(({ status }) => status)
  await expect
    .poll(statuses, { timeout: patience(180) })
    .toEqual(slugs.slice(0, count).map(() => 'succeeded'))
  return client
}

/** A browser with a profile on disk: a private window has no Background Fetch. */
async function withBrowser(
  device: string,
  client: TestClient,
  work: (browser: KillableChromium) => Promise<void>,
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'onecut-kept-'))
  const browser = await startChromium(profile)
  try {
    await signInContext(browser.context, client, device)
    await installApp(browser.context, world.proxy.origin)
    await work(browser)
  } finally {
    await browser.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function openEdits({ context }: KillableChromium): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${world.proxy.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  return page
}

const keeps = (page: Page) => page.getByRole('button', { name: /^Keep on this device: / })
const removes = (page: Page) => page.getByRole('button', { name: /^Remove .* from this device$/ })
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
