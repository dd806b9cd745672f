import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS, anyOf } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { chooseByPath, startChromium } from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /the upload worker ended/) })

/** Sent again at most: the parts that were in flight. */
const IN_FLIGHT = 5

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 9 * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

const flowPath = (uploadRequestId: string): string =>
  `${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`

/** Starts an upload on a slow network and returns when some parts are safe and others in flight. */
async function beginAndGetHalfway(
  page: Page,
  device: string,
  choose = chooseByInput(file.path),
): Promise<string> {
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, choose)
  await expectHalfway(world, device, 2)
  return uploadRequestId
}

async function openSignedIn(context: BrowserContext, device: string): Promise<Page> {
  await signInContext(context, world.client, device)
  return context.newPage()
}

async function expectGoesOn(page: Page, device: string, uploadRequestId: string): Promise<void> {
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expectDone(page)
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
}

test('MIS-02 UPL-07 a reload in the middle: the upload goes on by itself', async ({ context }) => {
  const page = await openSignedIn(context, 'reload')
  const uploadRequestId = await beginAndGetHalfway(page, 'reload')
  await page.reload()
  await expectGoesOn(page, 'reload', uploadRequestId)
})

test('MIS-02 UPL-07 a closed tab: the upload goes on when the app is opened again', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'closed')
  const uploadRequestId = await beginAndGetHalfway(page, 'closed')
  await page.close()
  const next = await context.newPage()
  await next.goto(flowPath(uploadRequestId))
  await expectGoesOn(next, 'closed', uploadRequestId)
})

test('MIS-02 UPL-07 a crashed page: the upload goes on when the app is opened again', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'crash')
  const uploadRequestId = await beginAndGetHalfway(page, 'crash')
  const crashed = page.waitForEvent('crash')
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const next = await context.newPage()
  await next.goto(flowPath(uploadRequestId))
  await expectGoesOn(next, 'crash', uploadRequestId)
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
    await next.goto(flowPath(uploadRequestId))
    await expectGoesOn(next, 'kill', uploadRequestId)
  } finally {
    await browser.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('UPL-07 two tabs at once: one sends, the other shows it, and takes over when the first is closed', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'tabs')
  const uploadRequestId = await beginAndGetHalfway(page, 'tabs')
  const second = await context.newPage()
  await second.goto(flowPath(uploadRequestId))
  await expect(second.getByRole('progressbar', { name: /scene\.mp4/ }).first()).toBeVisible()
  const received = world.proxy.ledger.receivedBytes('tabs')
  await expect.poll(() => world.proxy.ledger.receivedBytes('tabs')).toBeGreaterThan(received)
  expect(world.proxy.ledger.repeatedBytes('tabs'), 'only one tab sends').toBe(0)
  await page.close()
  await expectGoesOn(second, 'tabs', uploadRequestId)
})

test('UPL-07 the server is killed and comes back: the page says so, and goes on', async ({
  context,
}) => {
  const page = await openSignedIn(context, 'server')
  const uploadRequestId = await beginAndGetHalfway(page, 'server')
  await world.server.kill()
  await expect(page.getByText(/Connection lost\..* is safe\./).first()).toBeVisible()
  await world.server.start()
  await expectGoesOn(page, 'server', uploadRequestId)
})

test('UPL-07 logging out in the middle ends the sending and leaves nothing on the device', async ({
  context,
}) => {
  const client = await world.signUp()
  await signInContext(context, client, 'logout')
  const page = await context.newPage()
  const uploadRequestId = await beginAndGetHalfway(page, 'logout')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  // The page asks first: staying leaves everything as it is.
  await page.getByRole('button', { name: 'Stay logged in' }).click()
  await expect(page.getByText('Uploading', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${world.proxy.origin}/login`)
  expect(await databaseNames(page)).not.toContainEqual(expect.stringContaining('account'))
  await expect
    .poll(() => world.proxy.ledger.bodies('logout').filter(({ isOver }) => !isOver).length)
    .toBe(0)
  const sent = world.proxy.ledger.bodies('logout').length
  expect(safeParts(world, 'logout')).toBeLessThan(10)
  // Another person, who has no uploads, sees nothing of it on the same device, and nothing goes on.
  await signInContext(context, await world.signUp(), 'logout')
  await page.goto(flowPath(uploadRequestId))
  await expect(page.getByText('scene.mp4')).toHaveCount(0)
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(page.getByLabel('Choose a video')).toBeAttached()
  await expect(page.getByText('scene.mp4')).toHaveCount(0)
  expect(world.proxy.ledger.bodies('logout')).toHaveLength(sent)
})

function databaseNames(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
}
