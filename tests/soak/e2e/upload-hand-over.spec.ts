import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import {
  chooseByPath,
  inProfile,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, expectDone, installApp, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'
import { patience } from '#tests/setup/patience.ts'

// Networks and pages end here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** The whole file takes about fifteen seconds. */
const SLOW_NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 8 * MIB }
const PART_COUNT = 24
/** Sent again at most: the parts in flight when the page stops. */
const IN_FLIGHT = 5

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PART_COUNT - 1) * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

/** A browser with a profile on disk: a private window has no Background Fetch. */
const withBrowser = (device: string, work: (browser: KillableChromium) => Promise<void>) =>
  inProfile(async (profile) => {
    const browser = await startChromium(profile)
    try {
      await signInContext(browser.context, world.client, device)
      world.proxy.setNetwork(device, SLOW_NETWORK)
      await work(browser)
    } finally {
      await browser.kill()
    }
  })

async function beginAndGetHalfway(
  { context }: KillableChromium,
  device: string,
): Promise<{ readonly page: Page; readonly uploadRequestId: string }> {
  await installApp(context, world.proxy.origin)
  const page = await context.newPage()
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByPath(file.path))
  await expectHalfway(world, device, 2)
  return { page, uploadRequestId }
}

async function handOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Finish in the background/ }).click()
  await expect(page.getByText('Your browser is sending the rest').first()).toBeVisible()
}

/** What the browser still has to send. Runs in the page. */
async function countFetches(): Promise<number> {
  const registration = await navigator.serviceWorker.ready
  const { backgroundFetch } = registration as unknown as {
    readonly backgroundFetch: { getIds(): Promise<readonly string[]> }
  }
  return (await backgroundFetch.getIds()).length
}

async function storedState(uploadRequestId: string): Promise<string> {
  return (
    await world.client.get<{ readonly uploadRequest: { readonly state: string } }>(
      `/v1/upload-requests/${uploadRequestId}`,
    )
  ).body.uploadRequest.state
}

test('SAF-06 what was handed over is sent and completed with no page of the app', async () => {
  const device = 'handed-over'
  await withBrowser(device, async (browser) => {
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    await handOver(page)
    await expect(page.getByText(/^You can close this page/).first()).toBeVisible()
    const sent = safeParts(world, device)
    await page.close({ runBeforeUnload: true })
    await expect
      .poll(() => storedState(uploadRequestId), { timeout: patience(60) })
      .toBe('validated')
    expect(sent).toBeLessThan(PART_COUNT)
    await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
    expect(browser.context.pages().map((open) => open.url())).toEqual(['about:blank'])
  })
})

test('SAF-06 a page shows what the browser sends, also after a reload, and says when it is done', async () => {
  const device = 'watched'
  await withBrowser(device, async (browser) => {
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    await handOver(page)
    await expect(page.getByText(/\d of \d+ MB safe - \d.* more sent/).first()).toBeVisible()
    await page.reload()
    await expect(page.getByText('Your browser is sending the rest').first()).toBeVisible()
    await expectDone(page)
    await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  })
})

test('SAF-06 what was handed over goes on after the browser was killed, with no page of the app', async () => {
  const device = 'restarted'
  await inProfile(async (profile) => {
    const first = await startChromium(profile)
    let uploadRequestId: string
    try {
      await signInContext(first.context, world.client, device)
      world.proxy.setNetwork(device, SLOW_NETWORK)
      const begun = await beginAndGetHalfway(first, device)
      uploadRequestId = begun.uploadRequestId
      await handOver(begun.page)
      const handed = safeParts(world, device)
      await expect.poll(() => safeParts(world, device)).toBeGreaterThan(handed)
    } finally {
      await first.kill()
    }
    const second = await startChromium(profile)
    try {
      // Cookies of a session end with the browser.
      await signInContext(second.context, world.client, device)
      await expect
        .poll(() => storedState(uploadRequestId), { timeout: patience(90) })
        .toBe('validated')
      // At each end of a page, and of the browser, the parts in flight.
      await expectWhole(world, device, uploadRequestId, file, 2 * IN_FLIGHT)
      expect(
        second.context.pages().every((open) => !open.url().startsWith(world.proxy.origin)),
      ).toBe(true)
    } finally {
      await second.kill()
    }
  })
})

test('SAF-06 without space for a copy, the page says so and goes on with the upload itself', async () => {
  const device = 'no-space'
  await withBrowser(device, async (browser) => {
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    const devtools = await browser.context.newCDPSession(page)
    const { origin } = world.proxy
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: MIB })
    await page.getByRole('button', { name: /^Finish in the background/ }).click()
    await expect(page.getByText(/Your browser did not take over the upload;/)).toBeVisible()
    // Without any space, the device could not keep that the upload is done either.
    await devtools.send('Storage.overrideQuotaForOrigin', { origin })
    await expectDone(page)
    await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  })
})

test('SAF-06 a discard ends what the browser sends', async () => {
  const device = 'discarded'
  await withBrowser(device, async (browser) => {
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    await handOver(page)
    await page.getByRole('button', { name: /^Discard/ }).click()
    await expect.poll(() => storedState(uploadRequestId), { timeout: patience(60) }).toBe('aborted')
    await expect.poll(() => page.evaluate(countFetches), { timeout: patience(60) }).toBe(0)
  })
})

test('SAF-06 a page that closes leaves some minutes of uploading to the service worker', async () => {
  const device = 'closed'
  await withBrowser(device, async (browser) => {
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    await expect(page.getByText(/keeps uploading for a few minutes/).first()).toBeVisible()
    await page.close({ runBeforeUnload: true })
    await expect
      .poll(() => storedState(uploadRequestId), { timeout: patience(60) })
      .toBe('validated')
    await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  })
})
