import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { wakerOf } from '#tests/faults/sync-event.ts'
import {
  beginUpload,
  chooseByInput,
  expectDone,
  installApp,
  signInContext,
} from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'
import { patience } from '#tests/setup/patience.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** The rest of the file takes about ten seconds: time to open a page while it is sent. */
const SLOW_NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: 8 * MIB }
const PART_COUNT = 24
/** Sent again at most: the parts in flight when a page closed. */
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

const underWay = (device: string): number =>
  world.proxy.ledger.bodies(device).filter(({ isOver }) => !isOver).length

/** Starts an upload whose copy is on the device, with some parts safe and others in flight. */
async function beginAndGetHalfway(
  context: BrowserContext,
  device: string,
): Promise<{ readonly page: Page; readonly uploadRequestId: string }> {
  await signInContext(context, world.client, device)
  await installApp(context, world.proxy.origin)
  const page = await context.newPage()
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expect.poll(() => page.evaluate(countCopies)).toBe(1)
  await expectHalfway(world, device, 2)
  return { page, uploadRequestId }
}

/** Files that are whole in this account's database. Runs in the page. */
async function countCopies(): Promise<number> {
  const name = (await indexedDB.databases())
    .map((database) => database.name ?? '')
    .find((found) => found.startsWith('onecut-account-'))
  if (name === undefined) return 0
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name)
    opening.onerror = () => reject(opening.error ?? new Error('not opened'))
    opening.onsuccess = () => {
      const counting = opening.result.transaction('blobs').objectStore('blobs').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result)
      }
    }
  })
}

async function storedState(uploadRequestId: string): Promise<string> {
  return (
    await world.client.get<{ readonly uploadRequest: { readonly state: string } }>(
      `/v1/upload-requests/${uploadRequestId}`,
    )
  ).body.uploadRequest.state
}

test('UPL-07 with the page closed the service worker goes on and finishes', async ({ context }) => {
  const device = 'background'
  const { page, uploadRequestId } = await beginAndGetHalfway(context, device)
  const waker = await wakerOf(context, world.proxy.origin)
  await page.close()
  world.proxy.setNetwork(device, FAST_NETWORK)
  await waker.dispatchSync()
  await expect.poll(() => storedState(uploadRequestId), { timeout: patience(60) }).toBe('validated')
  expect(context.pages().map((open) => open.url())).toEqual(['about:blank'])
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
})

test('UPL-07 a page that opens meanwhile takes over, and nothing is sent twice', async ({
  context,
}) => {
  const device = 'takeover'
  const { page, uploadRequestId } = await beginAndGetHalfway(context, device)
  const waker = await wakerOf(context, world.proxy.origin)
  await page.close()
  const safe = safeParts(world, device)
  world.proxy.setNetwork(device, SLOW_NETWORK)
  await waker.dispatchSync()
  // More than the page's last parts: the service worker is at work.
  await expect.poll(() => safeParts(world, device)).toBeGreaterThan(safe + IN_FLIGHT)
  const repeatedBefore = world.proxy.ledger.repeatedBytes(device)
  const next = await context.newPage()
  await next.goto(`${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`)
  await expectDone(next)
  expect(world.proxy.ledger.repeatedBytes(device), 'the hand-over costs nothing').toBe(
    repeatedBefore,
  )
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
})

test('UPL-07 while a page sends, the service worker does not', async ({ context }) => {
  const device = 'beside'
  const { page, uploadRequestId } = await beginAndGetHalfway(context, device)
  const waker = await wakerOf(context, world.proxy.origin)
  await waker.dispatchSync()
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expectDone(page)
  expect(underWay(device)).toBe(0)
  await expectWhole(world, device, uploadRequestId, file, 0)
})
