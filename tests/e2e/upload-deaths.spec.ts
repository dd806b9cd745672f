import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { watchConsole } from './people.ts'
import { expect, test, FAILED_REQUESTS, anyOf } from './quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { chooseByPath, startChromium } from '#tests/faults/killable-chromium.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'

// Pages and servers end here.
const NOISE = anyOf(FAILED_REQUESTS, /the upload worker ended/)

const DEVICE = 'mortal'
/** Two parts arrive at once; the other two would take minutes: longer than all that dies here. */
const NETWORK = { ...HALFWAY_NETWORK, totalBytesPerSecond: 30_000 }
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

/** Signed in again each time: Chromium writes cookies to the disk every 30 s. */
async function openSignedIn(context: BrowserContext): Promise<Page> {
  await signInContext(context, world.client, DEVICE)
  return await context.newPage()
}

test('MIS-02 UPL-07 an upload outlives its server, its page and the whole browser: it goes on each time, and arrives whole', async () => {
  const { ledger } = world.proxy
  const sentBytes = () => ledger.receivedBytes(DEVICE)
  const profile = await mkdtemp(join(tmpdir(), 'onecut-profile-'))
  let browser = await startChromium(profile)
  try {
    const page = await openSignedIn(browser.context)
    const noise = watchConsole(page, NOISE)
    world.proxy.setNetwork(DEVICE, NETWORK)
    const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByPath(file.path))
    const address = `${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`
    await expectHalfway(world, DEVICE, 2)

    await world.server.kill()
    const lost = page.getByText(/Connection lost\..* is safe\./)
    await expect(lost.first()).toBeVisible()
    await world.server.start()
    await expect(lost).toHaveCount(0)
    const sentBefore = sentBytes()
    await expect.poll(sentBytes).toBeGreaterThan(sentBefore)
    expect(noise()).toEqual([])

    const crashed = page.waitForEvent('crash')
    void page.goto('chrome://crash').catch(() => undefined)
    await crashed
    // Bytes of the page that crashed may still be on their way, but it begins no request.
    const begun = ledger.bodies(DEVICE).length
    const next = await openSignedIn(browser.context)
    await next.goto(address)
    await expect.poll(() => ledger.bodies(DEVICE).length).toBeGreaterThan(begun)

    await browser.kill()
    expect(sentBytes(), 'the last death strikes in mid-upload').toBeLessThan(file.sizeBytes)
    browser = await startChromium(profile)
    const last = await openSignedIn(browser.context)
    world.proxy.setNetwork(DEVICE, FAST_NETWORK)
    await last.goto(address)
    await expectDone(last)
    await expectWhole(world, DEVICE, uploadRequestId, file, IN_FLIGHT)
  } finally {
    await browser.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})
