import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { chooseByPath, startChromium } from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import {
  beginUpload,
  chooseByInput,
  expectDone,
  installApp,
  signInContext,
} from '#tests/faults/upload-page.ts'
import { wakerOf } from '#tests/faults/sync-event.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { breakFilePicker, countCopies, readUploads } from './upload-device.ts'

// Networks and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** Safe parts belong to the account: uploads go on where this device knows nothing of them. */
let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 7 * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

interface State {
  readonly uploadRequest: { readonly state: string; readonly receivedBytes: number }
}
const read = async (client: TestClient, id: string): Promise<State['uploadRequest']> =>
  (await client.get<State>(`/v1/upload-requests/${id}`)).body.uploadRequest

/** So slow that the upload does not end while a test looks at other pages. */
const CRAWLING_NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 20_000 }

/** An upload of which at least two parts have arrived; the rest crawls. */
async function beginHalfway(context: BrowserContext, device: string) {
  const client = await world.signUp()
  await signInContext(context, client, device)
  const page = await context.newPage()
  await breakFilePicker(page)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const id = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expect
    .poll(async () => (await read(client, id)).receivedBytes)
    .toBeGreaterThanOrEqual(2 * PART_BYTES)
  world.proxy.setNetwork(device, CRAWLING_NETWORK)
  return { client, page, id }
}

/** Chooses a file where the page asks for it; a test cannot answer the browser's own picker. */
async function chooseAgain(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Choose scene.mp4 again' })).toBeEnabled()
  await page.locator('div:has(> button:has-text("again")) > input[type=file]').setInputFiles(path)
}

/** Bytes of parts that a device sent, in whole parts. */
const sentParts = (device: string): number => world.proxy.ledger.receivedBytes(device) / PART_BYTES

test('SAF-04 after its site data was cleared, a browser lists the upload and goes on from what is safe', async ({
  context,
}) => {
  const { client, page, id } = await beginHalfway(context, 'cleared')
  await page.getByRole('button', { name: 'Pause: scene.mp4' }).click()
  await expect(page.getByText(/^Paused at/)).toBeVisible()
  await page.goto('about:blank')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', {
    origin: world.proxy.origin,
    storageTypes: 'all',
  })
  await context.clearCookies()
  const safeBytes = (await read(client, id)).receivedBytes

  await signInContext(context, client, 'cleared-later')
  await page.goto(`${world.proxy.origin}/uploads/new`)
  const elsewhere = page.getByRole('region', { name: 'Unfinished uploads from elsewhere' })
  await expect(
    elsewhere.getByText(/^\d+(?:\.\d+)? of 37\.7 MB is safe\. The last part/),
  ).toBeVisible()
  await photograph(page, 'uploads-elsewhere')
  await chooseAgain(page, file.path)
  await expect(elsewhere).toHaveCount(0)
  await page.getByRole('link', { name: 'Choose edits for scene.mp4' }).first().click()
  await expectDone(page)
  expect(await world.storedSha256(id)).toBe(file.sha256)
  expect(sentParts('cleared-later')).toBeLessThanOrEqual(
    (file.sizeBytes - safeBytes) / PART_BYTES + 0.01,
  )
})

test('SAF-04 another device says that the upload is being sent, refuses other files, and can take it over', async ({
  context,
  browser,
}) => {
  const { client, page, id } = await beginHalfway(context, 'first-device')
  const bytes = await readFile(file.path)
  const larger = `${file.path}-larger.mp4`
  await writeFile(larger, Buffer.concat([bytes, Buffer.alloc(1)]))
  const other = `${file.path}-other.mp4`
  await writeFile(other, bytes.fill(1, MIB, MIB + 1))
  const second = await browser.newContext()
  await signInContext(second, client, 'second-device')
  const remote = await second.newPage()
  await breakFilePicker(remote)
  await remote.goto(`${world.proxy.origin}/uploads/${id}/media-jobs/new`)
  await expect(
    remote.getByText('Another device or browser may be sending this file right now.', {
      exact: false,
    }),
  ).toBeVisible()
  await photograph(remote, 'upload-elsewhere')
  await chooseAgain(remote, larger)
  await expect(remote.getByText(/^This is a different file: it has/)).toBeVisible()
  await chooseAgain(remote, other)
  await expect(remote.getByText(/^This is a different file: its content/)).toBeVisible()
  expect(await readUploads(remote)).toEqual([])
  expect((await read(client, id)).receivedBytes).toBeGreaterThanOrEqual(2 * PART_BYTES)

  await page.close()
  await chooseAgain(remote, file.path)
  await expectDone(remote)
  expect(await world.storedSha256(id)).toBe(file.sha256)
  await second.close()
})

test('SAF-04 choosing the same file on another device offers to go on with what has arrived', async ({
  context,
  browser,
}) => {
  const { client, page, id } = await beginHalfway(context, 'begun')
  await page.close()
  const second = await browser.newContext()
  await signInContext(second, client, 'begun-later')
  const remote = await second.newPage()
  await remote.goto(`${world.proxy.origin}/uploads/new`)
  await expect(remote.getByText('Unfinished uploads from elsewhere')).toBeVisible()
  await chooseByInput(file.path)(remote)
  await expect(
    remote.getByText(/^You began to upload this video on .* of it is safe\.$/),
  ).toBeVisible()
  await remote.getByRole('button', { name: 'Continue that upload' }).click()
  await expect(remote).toHaveURL(new RegExp(id))
  await expectDone(remote)
  expect(await world.storedSha256(id)).toBe(file.sha256)
  await second.close()
})

test.describe('data that is deleted', () => {
  test.use({ expectedNoise: FAILED_REQUESTS })

  test('SAF-04 with its data deleted under the running page, the upload goes on, and the page says what happened', async ({
    context,
  }) => {
    await installApp(context, world.proxy.origin)
    const { page, id } = await beginHalfway(context, 'deleted')
    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.clearDataForOrigin', {
      origin: world.proxy.origin,
      storageTypes: 'indexeddb,service_workers,cache_storage,file_systems',
    })
    const words = page.getByText('The data of Onecut in this browser was deleted.')
    await expect(words).toBeVisible()
    await photograph(page, 'upload-data-deleted')
    await expect(page.getByText('Onecut was updated in another tab.')).toHaveCount(0)
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(words).toHaveCount(0)
    world.proxy.setNetwork('deleted', FAST_NETWORK)
    await expectDone(page)
    expect(await world.storedSha256(id)).toBe(file.sha256)
    // What was on the crawling network is sent again, and nothing that had arrived.
    const { ledger } = world.proxy
    expect(ledger.acknowledgedBytes('deleted')).toBeLessThanOrEqual(file.sizeBytes)
    expect(ledger.receivedBytes('deleted') - file.sizeBytes).toBeLessThan(2 * PART_BYTES)
  })

  test('SAF-04 with its data deleted under the service worker, it stops without an error, and the parts are safe', async ({
    context,
  }) => {
    const device = 'deleted-alone'
    const { client, page, id } = await beginHalfway(context, device)
    await expect(page.getByText(/keeps uploading for a few minutes/).first()).toBeVisible()
    const waker = await wakerOf(context, world.proxy.origin)
    world.proxy.setNetwork(device, HALFWAY_NETWORK)
    await page.close()
    const { receivedBytes } = await read(client, id)
    await waker.dispatchSync()
    await expect
      .poll(async () => (await read(client, id)).receivedBytes)
      .toBeGreaterThan(receivedBytes)
    const blank = await context.newPage()
    const devtools = await context.newCDPSession(blank)
    await devtools.send('Storage.clearDataForOrigin', {
      origin: world.proxy.origin,
      storageTypes: 'indexeddb,file_systems',
    })
    await expect
      .poll(() => world.proxy.ledger.bodies(device).filter(({ isOver }) => !isOver).length)
      .toBe(0)
    const seen = await read(client, id)
    expect(seen.state).toBe('open')
    expect(seen.receivedBytes).toBeGreaterThanOrEqual(receivedBytes)
  })
})

test('SAF-05 another account that logs in with the same browser sees nothing and destroys nothing', async ({
  context,
}) => {
  const { client, page, id } = await beginHalfway(context, 'shared')
  const stranger = await world.signUp()
  await signInContext(context, stranger, 'shared')
  const theirs = await context.newPage()
  await theirs.goto(`${world.proxy.origin}/uploads/new`)
  await expect(theirs.getByText(/^Nothing here yet\./)).toBeVisible()
  await expect(theirs.getByText('scene.mp4')).toHaveCount(0)
  // The page of the first account shows nothing of it any more, and says why.
  await page.bringToFront()
  await expect(page.getByText(/This upload is not in this account\./)).toBeVisible()
  await expect(page.getByText('scene.mp4')).toHaveCount(0)
  await photograph(page, 'upload-of-another-account')
  expect((await read(client, id)).state).toBe('open')
  const list = await stranger.get<{ uploadRequests: unknown[] }>('/v1/upload-requests?limit=20')
  expect(list.body.uploadRequests).toEqual([])

  await theirs.close()
  await page.close()
  world.proxy.setNetwork('shared', FAST_NETWORK)
  await signInContext(context, client, 'shared')
  const back = await context.newPage()
  await back.goto(`${world.proxy.origin}/uploads/${id}/media-jobs/new`)
  await expectDone(back)
  expect(await world.storedSha256(id)).toBe(file.sha256)
  expect(world.proxy.ledger.of('shared', 'abort')).toEqual([])
})

test('SAF-02 UPL-07 a file that was only touched goes on by itself, from the copy of the browser', async () => {
  const client = await world.signUp()
  const profile = await mkdtemp(join(tmpdir(), 'onecut-touched-'))
  // A private window, which the other tests use, keeps no copies.
  const chromium = await startChromium(profile)
  try {
    await signInContext(chromium.context, client, 'touched')
    const page = await chromium.context.newPage()
    world.proxy.setNetwork('touched', HALFWAY_NETWORK)
    const id = await beginUpload(page, world.proxy.origin, chooseByPath(file.path))
    await expect.poll(() => countCopies(page)).toBe(1)
    await utimes(file.path, new Date(), new Date(0))
    world.proxy.setNetwork('touched', FAST_NETWORK)
    await expectDone(page)
    expect(await world.storedSha256(id)).toBe(file.sha256)
  } finally {
    await chromium.kill()
    await rm(profile, { recursive: true, force: true })
  }
})
