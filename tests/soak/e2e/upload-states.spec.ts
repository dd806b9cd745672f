import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import {
  carriesBytes,
  FAST_NETWORK,
  HALFWAY_NETWORK,
  type Fault,
  type RequestKind,
} from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway } from '#tests/faults/upload-run.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { breakFilePicker, forgetFile, readUploads } from './upload-device.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

const PARTS = 8

/**
 * Every state of an upload as a person meets it: its words, what can be done, and how it continues.
 */
let world: FaultWorld
let file: TestFile
let other: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PARTS - 1) * PART_BYTES + MIB)
  other = await world.makeFile('other.mp4', (PARTS - 1) * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})
test.afterEach(() => {
  world.proxy.clear()
})

/** Of the upload on the page; what other tests left unfinished is listed below it. */
const button = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'scene.mp4' })
    .getByRole('button', { name: `${name}: scene.mp4` })
const spoil = (device: string, kind: RequestKind, fault: Fault, times = 1): void =>
  world.proxy.add({
    times,
    fault,
    match: (request) =>
      request.device === device &&
      (kind === 'part' ? carriesBytes(request.kind) : request.kind === kind),
  })

async function open(context: BrowserContext, device: string): Promise<Page> {
  await signInContext(context, world.client, device)
  const page = await context.newPage()
  await breakFilePicker(page)
  return page
}

/** An upload with at least one safe part and others in flight, on a slow network. */
async function halfway(page: Page, device: string): Promise<string> {
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expectHalfway(world, device)
  return uploadRequestId
}

async function pausedHalfway(page: Page, device: string): Promise<string> {
  const uploadRequestId = await halfway(page, device)
  await button(page, 'Pause').click()
  await expect(page.getByText(/^Paused at \d+%$/)).toBeVisible()
  world.proxy.setNetwork(device, FAST_NETWORK)
  return uploadRequestId
}

async function chooseAgain(page: Page, name: string, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, name).click()
  await (await chooser).setFiles(path)
}

test('UPL-07 preparing, uploading, finalising, checking, done: each under its own name', async ({
  context,
}) => {
  const device = 'happy'
  const page = await open(context, device)
  await page.addInitScript(() =>
    Object.assign(StorageManager.prototype, {
      persist: () => {
        document.documentElement.dataset['persist'] = 'asked'
        return Promise.resolve(true)
      },
    }),
  )
  spoil(device, 'create', { kind: 'latency', delayMs: 2_500 })
  spoil(device, 'complete', { kind: 'latency', delayMs: 2_500 })
  world.proxy.add({
    times: 1,
    fault: { kind: 'latency', delayMs: 2_500 },
    match: (request) =>
      request.device === device &&
      request.kind === 'sign' &&
      world.proxy.ledger.of(device, 'complete').length > 0,
  })
  world.proxy.setNetwork(device, { ...FAST_NETWORK, totalBytesPerSecond: 5 * MIB })
  const begun = beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expect(page.getByText('Getting ready')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-persist', 'asked')
  await begun
  await expect(page.getByText(/^[\d.]+ of 37\.7 MB safe - [\d.]+ Mbit\/s/)).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Upload of scene.mp4' })).toHaveAttribute(
    'aria-valuetext',
    /^\d+% Uploaded$/,
  )
  await expect(page.getByText('Finishing the upload')).toBeVisible()
  await expect(
    page.getByText('Upload is not yet validated. Please wait for processing to complete.'),
  ).toBeVisible()
  await expectDone(page)
})

test('MIS-02 UPL-07 a lost connection is said at once, with what is safe, and ends by itself', async ({
  context,
}) => {
  const device = 'offline'
  const page = await open(context, device)
  await halfway(page, device)
  await expect(page.getByText('Uploading', { exact: true })).toBeVisible()
  // Offline, parts in flight still arrive; without the server nothing does. (Simulated time asserts
  // the two seconds.)
  await Promise.all([context.setOffline(true), world.server.kill()])
  await expect(page.getByText(/^Connection lost\. [\d.]+ MB is safe\.$/)).toBeVisible()
  await expect(page.getByText('Uploading', { exact: true })).toHaveCount(0)
  await expect(button(page, 'Retry now')).toBeVisible()
  await expect(page.getByText(/^Trying again (?:now|in \d+ s)$/)).toBeVisible()
  await photograph(page, 'upload-waiting', false)
  world.proxy.setNetwork(device, FAST_NETWORK)
  await world.server.start()
  await context.setOffline(false)
  await expectDone(page)
})

test('UPL-07 a paused upload stays paused over a reload and continues on request', async ({
  context,
}) => {
  const device = 'paused'
  const page = await open(context, device)
  await pausedHalfway(page, device)
  await page.reload()
  await expect(page.getByText(/^Paused at \d+%$/)).toBeVisible()
  await photograph(page, 'upload-paused')
  await button(page, 'Resume').click()
  await expectDone(page)
})

test('UPL-07 a file that the browser lost is asked for by name; another one is noticed, and both ways on are offered', async ({
  context,
}) => {
  const device = 'lost-file'
  const page = await open(context, device)
  await pausedHalfway(page, device)
  await forgetFile(page, 'nowhere')
  await page.reload()
  await button(page, 'Resume').click()
  await expect(page.getByText(/^Choose scene\.mp4 again to continue from \d+%$/)).toBeVisible()
  await photograph(page, 'upload-needs-file')
  await chooseAgain(page, 'Choose the file again', other.path)
  await expect(page.getByText('This is not the file that the upload started with')).toBeVisible()
  await expect(button(page, 'Start over')).toBeVisible()
  await photograph(page, 'upload-conflict')
  await chooseAgain(page, 'Choose the original', file.path)
  await expectDone(page)
})

test('UPL-07 after another file was chosen one can start over with it', async ({ context }) => {
  const device = 'start-over'
  const page = await open(context, device)
  const first = await pausedHalfway(page, device)
  await forgetFile(page, 'nowhere')
  await page.reload()
  await button(page, 'Resume').click()
  await chooseAgain(page, 'Choose the file again', other.path)
  await button(page, 'Start over').click()
  await page.waitForURL(
    (url) => !url.pathname.includes(first) && url.pathname.endsWith('/media-jobs/new'),
  )
  await expect(page.getByRole('heading', { name: 'other.mp4' })).toBeVisible()
  await expectDone(page)
})

test('UPL-07 an upload that the server has given up says so and starts over under a new address', async ({
  context,
}) => {
  const device = 'expired'
  const page = await open(context, device)
  const first = await pausedHalfway(page, device)
  expect((await world.client.delete(`/v1/upload-requests/${first}`)).status).toBe(204)
  await button(page, 'Resume').click()
  await expect(page.getByText('The server no longer has this upload')).toBeVisible()
  await expect(
    page.getByText(
      'Unfinished uploads are removed after 7 days. You can upload the same file again.',
    ),
  ).toBeVisible()
  await photograph(page, 'upload-expired')
  await button(page, 'Start over').click()
  await page.waitForURL(
    (url) => !url.pathname.includes(first) && url.pathname.endsWith('/media-jobs/new'),
  )
  await expectDone(page)
})

test('SAF-01 UPL-07 discarding can be taken back for ten seconds; then the server aborts it', async ({
  context,
}) => {
  const device = 'discard'
  const page = await open(context, device)
  const uploadRequestId = await halfway(page, device)
  await button(page, 'Discard').click()
  await expect(page.getByText('Discarded', { exact: true })).toBeVisible()
  await button(page, 'Undo').click()
  await expect(page.getByText('Uploading', { exact: true })).toBeVisible()
  await button(page, 'Discard').click()
  await expect
    .poll(() =>
      world.proxy.ledger.of(device, 'abort').map(({ facts, status }) => [facts.uploadId, status]),
    )
    .toEqual([[uploadRequestId, 204]])
  await expect.poll(() => readUploads(page)).toEqual([])
  await expect(page.getByText('This upload no longer exists')).toBeVisible()
})
