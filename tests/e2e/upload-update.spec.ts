import { expect, test } from '@playwright/test'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_LINE } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectWhole } from '#tests/faults/upload-run.ts'

/** On this line the file takes some twenty seconds: time for a new version in the middle. */
const SLOW_LINE = { ...FAST_LINE, totalBytesPerSecond: 5 * MIB }
/** Sent again at most: what was under way when the page was replaced. */
const IN_FLIGHT = 5
const LANE = 'update'
const NEXT_VERSION = '<meta name="version" content="next">'

let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 19 * PART_BYTES + MIB)
})
test.afterAll(async () => { await world.dispose() })

const safeParts = (): number => world.proxy.ledger.of(LANE, 'part').filter(({ status }) => status === 200).length

/** The server has a new build: another page, and a service worker that lists it under another revision. */
function deploy(): void {
  world.proxy.setChange(LANE, {
    hasText: (path) => path === '/sw.js' || path.startsWith('/index.html'),
    text: (text, path) => (path === '/sw.js' ? text.replace(/"revision":"[0-9a-f]+"(?=,"url":"index\.html")/, '"revision":"next"') : text.replace('<head>', `<head>${NEXT_VERSION}`)),
  })
}

test('UPL-07 a new version that is accepted in the middle: the upload goes on in it', async ({ context, page }) => {
  await signInContext(context, world.client, LANE)
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await page.evaluate(async () => { await navigator.serviceWorker.ready })
  world.proxy.setLine(LANE, SLOW_LINE)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expect.poll(safeParts, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  // The file is kept on the device for the page after this one.
  await expect(page.getByText(/You can close this page/).first()).toBeVisible()
  deploy()
  // What the app does every hour.
  await page.evaluate(async () => { await (await navigator.serviceWorker.ready).update() })
  await expect(page.getByText('A new version of Onecut is ready.')).toBeVisible()
  // Nothing is taken unasked: the old page still sends.
  const safe = safeParts()
  await expect.poll(safeParts).toBeGreaterThan(safe)
  expect(world.proxy.ledger.repeats(LANE)).toBe(0)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.locator('meta[name=version][content=next]')).toBeAttached()
  expect(safeParts(), 'the upload was in the middle').toBeLessThan(20)
  world.proxy.setLine(LANE, FAST_LINE)
  await expectDone(page)
  await expectWhole(world, LANE, uploadRequestId, file, IN_FLIGHT)
})
