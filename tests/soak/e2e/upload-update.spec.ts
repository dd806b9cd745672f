import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { wakerOf } from '#tests/faults/sync-event.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** Sent again at most: the parts in flight when the page was replaced. */
const IN_FLIGHT = 5
const PARTS = 10
const DEVICE = 'update'
const NEXT_VERSION = '<meta name="version" content="next">'

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', (PARTS - 1) * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

/**
 * The server has a new build: another page, and a service worker that lists it under another
 * revision.
 */
function deploy(): void {
  world.proxy.setChange(DEVICE, {
    hasText: (path) => path === '/sw.js' || path.startsWith('/index.html'),
    text: (text, path) =>
      path === '/sw.js'
        ? text.replace(/"revision":"[0-9a-f]+"(?=,"url":"index\.html")/, '"revision":"next"')
        : text.replace('<head>', `<head>${NEXT_VERSION}`),
  })
}

test('UPL-07 a new version that is accepted in the middle: the upload goes on in it', async ({
  context,
  page,
}) => {
  await signInContext(context, world.client, DEVICE)
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  world.proxy.setNetwork(DEVICE, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expectHalfway(world, DEVICE, 2)
  // The file is kept on the device for the page after this one.
  await expect(page.getByText(/keeps uploading for a few minutes/).first()).toBeVisible()
  // Browsers that are online wake the service worker as soon as it asked; it waits while the page
  // sends.
  await (await wakerOf(context, world.proxy.origin)).dispatchSync()
  deploy()
  // What the app does every hour.
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  await expect(page.getByText('A new version of Onecut is ready.')).toBeVisible()
  // Nothing is replaced unasked: the old page still sends.
  const received = world.proxy.ledger.receivedBytes(DEVICE)
  await expect.poll(() => world.proxy.ledger.receivedBytes(DEVICE)).toBeGreaterThan(received)
  expect(world.proxy.ledger.repeatedBytes(DEVICE)).toBe(0)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.locator('meta[name=version][content=next]')).toBeAttached()
  expect(safeParts(world, DEVICE), 'the upload was in the middle').toBeLessThan(PARTS)
  world.proxy.setNetwork(DEVICE, FAST_NETWORK)
  await expectDone(page)
  await expectWhole(world, DEVICE, uploadRequestId, file, IN_FLIGHT)
})
