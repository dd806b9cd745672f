import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { beginUpload as beginUploadAtServer } from '#tests/setup/upload.ts'
import { photograph } from './flow-helpers.ts'

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
const unfinished = (page: Page) =>
  page
    .getByRole('region', { name: 'Unfinished uploads on this device' })
    .getByRole('listitem')
    .filter({ hasText: 'scene.mp4' })
const listed = (page: Page) =>
  page
    .getByRole('region', { name: 'Recent uploads' })
    .getByRole('listitem')
    .filter({ hasText: 'scene.mp4' })

test('UPL-06 the card follows to other screens, says when the video is ready, and can be dismissed then', async ({
  context,
}) => {
  const device = 'card'
  const { page } = await newcomer(context, device)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  const card = page.getByRole('complementary', { name: 'Upload' })
  await expect(card).toHaveCount(0)
  await page.getByRole('link', { name: 'My Edits' }).first().click()
  await expect(card.getByText('scene.mp4', { exact: true })).toBeVisible()
  await expect(card.getByText(/^\d+% Uploaded$/)).toBeVisible()
  await expect(card.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await photograph(page, 'upload-card', false)
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expect(card.getByText('Your video has been uploaded and is ready for editing')).toBeVisible(
    { timeout: 60_000 },
  )
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(card).toHaveCount(0)
})

test('UPL-06 UPL-13 another device shows the upload read-only, first not completed, then completed, and lists it', async ({
  context,
  browser,
}) => {
  const device = 'other-device'
  const { client, page } = await newcomer(context, device)
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  const second = await browser.newContext()
  await signInContext(second, client, 'second-device')
  const remote = await second.newPage()
  await remote.goto(`${world.proxy.origin}/uploads/new`)
  await expect(listed(remote).getByText('Upload in progress or aborted')).toBeVisible()
  await listed(remote).getByRole('link', { name: 'Open scene.mp4' }).click()
  await expect(remote.getByText('Upload not completed')).toBeVisible()
  await expect(remote.getByRole('button', { name: /^(?:Pause|Discard)/ })).toHaveCount(0)
  world.proxy.setNetwork(device, FAST_NETWORK)
  await expectDone(page)
  await expect(remote.getByText('Upload completed')).toBeVisible({ timeout: 30_000 })
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

test('UPL-12 another device says that a file that has arrived is not validated yet', async ({
  context,
  browser,
}) => {
  const device = 'unvalidated'
  const { client, page } = await newcomer(context, device)
  const uploadRequestId = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await expectDone(page)
  const second = await browser.newContext()
  await signInContext(second, client, 'second-unvalidated')
  // The check takes a moment only; the answer as it is during that moment.
  await second.route(`**/v1/upload-requests/${uploadRequestId}`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { uploadRequest: Record<string, unknown> }
    await route.fulfill({
      response: answer,
      json: { uploadRequest: { ...body.uploadRequest, state: 'completed', isValidated: false } },
    })
  })
  const remote = await second.newPage()
  await remote.goto(`${world.proxy.origin}/uploads/${uploadRequestId}/media-jobs/new`)
  await expect(remote.getByText('Upload completed')).toBeVisible()
  await expect(
    remote.getByText('Upload is not yet validated. Please wait for processing to complete.'),
  ).toBeVisible()
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

test('UPL-13 the list says how far the uploads of this device are, and what it waits for', async ({
  context,
}) => {
  const device = 'list'
  const { page } = await newcomer(context, device)
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(
    page.getByText(
      'Nothing here yet. Finished uploads and uploads from your other devices appear here.',
    ),
  ).toBeVisible()
  world.proxy.setNetwork(device, HALFWAY_NETWORK)
  await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(unfinished(page).getByText(/^\d+% Uploaded$/)).toBeVisible()
  await page.getByRole('button', { name: 'Pause: scene.mp4' }).click()
  await expect(unfinished(page).getByText('Paused - resume')).toBeVisible()
  await photograph(page, 'upload-unfinished')
  await page.getByRole('button', { name: 'Resume: scene.mp4' }).click()
  await expect(unfinished(page).getByText(/^\d+% Uploaded$/)).toBeVisible()
  await world.server.kill()
  await expect(unfinished(page).getByText('Waiting for network')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('link', { name: 'My Edits' }).first().click()
  await page.getByRole('link', { name: 'New Upload' }).first().click()
  await expect(page.getByText('Your uploads could not be loaded')).toBeVisible({ timeout: 60_000 })
  await expect(unfinished(page).getByText('Waiting for network')).toBeVisible()
  await world.server.start()
  world.proxy.setNetwork(device, FAST_NETWORK)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(listed(page).getByText('Upload completed.')).toBeVisible({ timeout: 60_000 })
})

test('UPL-02 while a file is dragged over the window, the drop zone says whether it would take it', async ({
  context,
}) => {
  const { page } = await newcomer(context, 'drag')
  await page.goto(`${world.proxy.origin}/uploads/new`)
  await expect(page.getByText('Drag and drop your video here or click to browse')).toBeVisible()
  const zone = page.locator('[data-state]', { has: page.getByLabel('Choose a video') })
  const drag = async (
    event: 'dragenter' | 'dragleave',
    types: readonly string[],
  ): Promise<void> => {
    const dataTransfer = await page.evaluateHandle((given) => {
      const data = new DataTransfer()
      for (const type of given) data.items.add(new File(['x'], 'dragged', { type }))
      return data
    }, types)
    await page.dispatchEvent('#main', event, { dataTransfer })
  }
  await drag('dragenter', ['video/mp4'])
  await expect(zone).toHaveAttribute('data-state', 'accept')
  await expect(zone.getByText('Drop to upload')).toBeVisible()
  await photograph(page, 'upload-drag-accept', false)
  await drag('dragleave', ['video/mp4'])
  await expect(zone).toHaveAttribute('data-state', 'idle')
  await drag('dragenter', ['text/plain'])
  await expect(zone).toHaveAttribute('data-state', 'reject')
  await expect(zone.getByText('Only video files are accepted')).toBeVisible()
  await photograph(page, 'upload-drag-reject', false)
  await drag('dragleave', ['text/plain'])
  await drag('dragenter', ['video/mp4', 'video/mp4'])
  await expect(zone).toHaveAttribute('data-state', 'reject')
})
