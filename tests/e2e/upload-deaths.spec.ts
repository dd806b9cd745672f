import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS, anyOf } from './quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { chooseByPath, startChromium } from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'

// Pages and servers end here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

/** Two parts arrive at once; the other two would take a minute: longer than a server to start. */
const NETWORK = { ...HALFWAY_NETWORK, totalBytesPerSecond: 100_000 }
/** Sent again at most: the parts that were in flight. */
const IN_FLIGHT = 2

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 3 * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

async function openSignedIn(context: BrowserContext, device: string): Promise<Page> {
  await signInContext(context, world.client, device)
  return await context.newPage()
}

/** Starts an upload and returns when two parts are safe and the others in flight. */
async function beginAndGetHalfway(
  page: Page,
  device: string,
  choose = chooseByInput(file.path),
): Promise<string> {
  world.proxy.setNetwork(device, NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, choose)
  await expectHalfway(world, device, 2)
  return uploadRequestId
}

/** Opens the upload's page again, on a network that works. */
async function openAgain(page: Page, device: string, uploadRequestId: string): Promise<void> {
  world.proxy.setNetwork(device, FAST_NETWORK)
  await page.goto(`${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`)
}

async function expectArrives(page: Page, device: string, uploadRequestId: string): Promise<void> {
  await expectDone(page)
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
}

test('MIS-02 UPL-07 a crashed page: the upload goes on when the app is opened again', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'crash')
  const uploadRequestId = await beginAndGetHalfway(page, 'crash')
  const crashed = page.waitForEvent('crash')
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const next = await context.newPage()
  await openAgain(next, 'crash', uploadRequestId)
  await expectArrives(next, 'crash', uploadRequestId)
})

test('MIS-02 UPL-07 the whole browser is killed: the upload goes on from the profile', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'onecut-profile-'))
  let browser = await startChromium(profile)
  try {
    const page = await openSignedIn(browser.context, 'kill')
    const uploadRequestId = await beginAndGetHalfway(page, 'kill', chooseByPath(file.path))
    await browser.kill()
    browser = await startChromium(profile)
    // Chromium writes cookies to the disk every 30 s; a sign-in younger than that dies with it.
    const next = await openSignedIn(browser.context, 'kill')
    await openAgain(next, 'kill', uploadRequestId)
    await expectArrives(next, 'kill', uploadRequestId)
  } finally {
    await browser.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('UPL-07 the server is killed and comes back: the page says so, and goes on', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'server')
  const uploadRequestId = await beginAndGetHalfway(page, 'server')
  await world.server.kill()
  await expect(page.getByText(/Connection lost\..* is safe\./).first()).toBeVisible()
  await world.server.start()
  world.proxy.setNetwork('server', FAST_NETWORK)
  await expectArrives(page, 'server', uploadRequestId)
})
