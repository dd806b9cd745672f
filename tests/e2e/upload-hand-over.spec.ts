import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import {
  chooseByPath,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, installApp, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole, safeParts } from '#tests/faults/upload-run.ts'
import { patience } from '#tests/setup/patience.ts'

const PART_COUNT = 4
/** Two parts arrive at once; the other two would take half a minute. */
const NETWORK = { ...HALFWAY_NETWORK, totalBytesPerSecond: 200_000 }
/** Sent again at most: the parts that were in flight when the page stopped. */
const IN_FLIGHT = 2

let world: FaultWorld
let profile: string
let browser: KillableChromium
test.beforeAll(async () => {
  world = await startFaultWorld()
  // With a profile on disk: a private window has no Background Fetch.
  profile = await mkdtemp(join(tmpdir(), 'onecut-hand-over-'))
  browser = await startChromium(profile)
})
test.afterAll(async () => {
  await browser.kill()
  await world.dispose()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})

interface Begun {
  readonly page: Page
  readonly file: TestFile
  readonly uploadRequestId: string
}

/** Starts an upload and returns when two parts are safe and the others in flight. */
async function beginAndGetHalfway(device: string): Promise<Begun> {
  // A file of its own: the app would take the same one for the upload that has arrived.
  const file = await world.makeFile(`${device}.mp4`, (PART_COUNT - 1) * PART_BYTES + MIB)
  await signInContext(browser.context, world.client, device)
  await installApp(browser.context, world.proxy.origin)
  world.proxy.setNetwork(device, NETWORK)
  const page = await browser.context.newPage()
  // Not the one by which an earlier upload would get its file again.
  const choose = chooseByPath(file.path, 'input[type=file]:not([aria-hidden])')
  const uploadRequestId = await beginUpload(page, world.proxy.origin, choose)
  await expectHalfway(world, device, 2)
  return { page, file, uploadRequestId }
}

/** Closes the only page of the app and waits until the server has the file all the same. */
async function closeAndExpectWhole(
  { page, file, uploadRequestId }: Begun,
  device: string,
): Promise<void> {
  const sent = safeParts(world, device)
  await page.close({ runBeforeUnload: true })
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expect.poll(() => storedState(uploadRequestId), { timeout: patience(60) }).toBe('validated')
  expect(sent).toBeLessThan(PART_COUNT)
  await expectWhole(world, device, uploadRequestId, file, IN_FLIGHT)
  expect(browser.context.pages().map((open) => open.url())).toEqual(['about:blank'])
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
  const begun = await beginAndGetHalfway(device)
  const { page } = begun
  await page.getByRole('button', { name: /^Finish in the background/ }).click()
  await expect(page.getByText('Your browser is sending the rest').first()).toBeVisible()
  await expect(page.getByText(/^You can close this page/).first()).toBeVisible()
  await closeAndExpectWhole(begun, device)
})

test('SAF-06 a page that closes leaves some minutes of uploading to the service worker', async () => {
  const device = 'closed'
  const begun = await beginAndGetHalfway(device)
  const { page } = begun
  await expect(page.getByText(/keeps uploading for a few minutes/).first()).toBeVisible()
  await closeAndExpectWhole(begun, device)
})
