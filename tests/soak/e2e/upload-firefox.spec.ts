import { firefox, type Browser, type Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'
import { FIREFOX } from '#tests/setup/firefox.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** Sent again at most: what was under way when the page went. */
const IN_FLIGHT = 5
const PARTS = 15

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PARTS - 1) * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

async function withFirefox(
  prefs: Readonly<Record<string, number>>,
  work: (browser: Browser) => Promise<void>,
): Promise<void> {
  const browser = await firefox.launch({ ...FIREFOX, firefoxUserPrefs: prefs })
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

async function beginAndGetHalfway(
  browser: Browser,
  device: string,
): Promise<{ readonly page: Page; readonly uploadRequestId: string }> {
  const context = await browser.newContext()
  await signInContext(context, world.client, device)
  const page = await context.newPage()
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expectHalfway(world, device, 2)
  return { page, uploadRequestId }
}

test('UPL-07 Firefox: a reload in the middle goes on by itself, and the page promises no more than that', async () => {
  await withFirefox({}, async (browser) => {
    const device = 'firefox-copy'
    const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
    // The service worker of a browser without Background Sync does nothing once the page has gone.
    await expect(
      page
        .getByText(
          'In progress. Nothing is sent while this page is closed; the upload continues when you come back.',
          { exact: true },
        )
        .first(),
    ).toBeVisible()
    await page.reload()
    // Nothing depends on the page any more once all has arrived.
    world.proxy.add({
      times: 1,
      fault: { kind: 'latency', delayMs: 1_500 },
      match: (request) =>
        request.device === device &&
        request.kind === 'sign' &&
        world.proxy.ledger.of(device, 'complete').length > 0,
    })
    world.proxy.setNetwork(device, FAST_NETWORK)
    await expect(
      page
        .getByText('Upload is not yet validated. Please wait for processing to complete.')
        .first(),
    ).toBeVisible()
    await expectDone(page)
    await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  })
})

test('UPL-07 Firefox: without room for a copy the page asks not to be closed; the file chosen again goes on where it was', async () => {
  // So little that half of it does not hold the file (kB).
  await withFirefox(
    { 'dom.quotaManager.temporaryStorage.fixedLimit': 100 * 1_024 },
    async (browser) => {
      const device = 'firefox-again'
      const { page, uploadRequestId } = await beginAndGetHalfway(browser, device)
      await expect(
        page.getByText('In progress: Please do not close the page while uploading.').first(),
      ).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'Pause: scene.mp4' }).click()
      await expect(
        page
          .getByText(
            'This browser does not keep the file. If you close this page, you will have to choose the file again. What is safe stays safe.',
          )
          .first(),
      ).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'Resume: scene.mp4' }).click()
      await expect(page.getByText('Uploading', { exact: true }).first()).toBeVisible()
      await page.reload()
      await expect(
        page.getByText(/^Choose scene\.mp4 again to continue from \d+%$/).first(),
      ).toBeVisible()
      world.proxy.setNetwork(device, FAST_NETWORK)
      const choosing = page.waitForEvent('filechooser')
      await page
        .getByRole('button', { name: /^Choose the file again/ })
        .first()
        .click()
      await (await choosing).setFiles(file.path)
      await expectDone(page)
      // Twice parts were under way: when it was paused, and when the page went.
      await expectWhole(world, device, uploadRequestId, file, 2 * IN_FLIGHT)
    },
  )
})
