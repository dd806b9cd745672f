import type { BrowserContext, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { beginUpload as beginUploadAtServer } from '#tests/setup/upload.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'

// Networks, servers and sessions break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** What is seen of an upload from other screens and from other devices. */
let world: FaultWorld
let file: TestFile
test.beforeAll(async () => {
  world = await startFaultWorld()
  file = await world.makeFile('scene.mp4', 7 * PART_BYTES + MIB)
})
test.afterAll(async () => {
  await world.dispose()
})

/** Each test has an account of its own, so that lists begin empty. */
async function newcomer(context: BrowserContext, device: string) {
  const client = await world.signUp()
  await signInContext(context, client, device)
  return { client, page: await context.newPage() }
}
const listed = (page: Page) =>
  page
    .getByRole('region', { name: 'Recent uploads' })
    .getByRole('listitem')
    .filter({ hasText: 'scene.mp4' })

const elsewhere = (page: Page) =>
  page
    .getByRole('region', { name: 'Unfinished uploads from elsewhere' })
    .getByRole('listitem')
    .filter({ hasText: 'scene.mp4' })

test('UPL-06 UPL-13 another device shows the upload, first not completed, then completed, and lists it', async ({
  context,
  browser,
}) => {
  const device = 'other-device'
  const { client, page } = await newcomer(context, device)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  // However slow this machine is, the upload must not end before the other device has seen it.
  await page.getByRole('button', { name: 'Pause: scene.mp4' }).click()
  const second = await browser.newContext()
  await signInContext(second, client, 'second-device')
  const remote = await second.newPage()
  await remote.goto(`${world.proxy.origin}/uploads/new`)
  await expect(elsewhere(remote).getByText('Upload in progress or aborted')).toBeVisible()
  await elsewhere(remote).getByRole('link', { name: 'Open scene.mp4' }).click()
  await expect(remote.getByText('Upload not completed')).toBeVisible()
  await expect(remote.getByRole('button', { name: /^(?:Pause|Discard)/ })).toHaveCount(0)
  world.proxy.setNetwork(device, FAST_NETWORK)
  await page.getByRole('button', { name: 'Resume: scene.mp4' }).click()
  await expectDone(page)
  await expect(remote.getByText('Upload completed')).toBeVisible()
  await remote.goto(`${world.proxy.origin}/uploads/new`)
  await expect(listed(remote).getByText('Upload completed.')).toBeVisible()
  await photograph(remote, 'upload-list')
  // Without the server, what was listed is still there.
  await second.setOffline(true)
  await expect(listed(remote).getByText('Upload completed.')).toBeVisible()
  await listed(remote).getByRole('link', { name: 'Choose edits for scene.mp4' }).click()
  await expect(remote).toHaveURL(new RegExp(uploadRequestId))
  await second.close()
})

test('UPL-13 older uploads are shown on demand, and without a connection as far as they were', async ({
  context,
}) => {
  const { client, page } = await newcomer(context, 'older')
  const one = await beginUploadAtServer(client, MIB, { name: 'scene.mp4' })
  // More than an account may have unfinished: the one that there is, 25 times.
  const all = Array.from({ length: 25 }, (_, index) => ({
    ...one,
    state: 'completed',
    uploadEndedAt: one.createdAt,
    _id: crypto.randomUUID(),
    createdAt: new Date(Date.UTC(2026, 0, 25 - index)).toISOString(),
  }))
  await context.route(/\/v1\/upload-requests\?/, async (route) => {
    const isFirst = new URL(route.request().url()).searchParams.get('cursor') === null
    await route.fulfill({
      json: {
        uploadRequests: isFirst ? all.slice(0, 20) : all.slice(20),
        pagination: { nextCursor: isFirst ? 'older' : null },
      },
    })
  })
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(listed(page)).toHaveCount(20)
  const older = page.getByRole('button', { name: 'Show older uploads' })
  await older.click()
  await expect(listed(page)).toHaveCount(25)
  await expect(older).toHaveCount(0)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.unrouteAll()
  await context.setOffline(true)
  await page.reload()
  await expect(listed(page)).toHaveCount(20)
  await photograph(page, 'upload-older')
  await older.click()
  await expect(listed(page)).toHaveCount(25)
})
