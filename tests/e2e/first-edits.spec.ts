import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { components } from '#openapi/schema.gen.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { makeSparseVideo } from '#tests/faults/sparse-file.ts'
import { beginUpload, chooseByInput, signInContext } from '#tests/faults/upload-page.ts'
import { patience } from '#tests/setup/patience.ts'
import { probeFile } from './flow-media.ts'
import { attest, photograph } from './flow-helpers.ts'
import { expect, test } from './quiet.ts'

type UploadRequest = components['schemas']['UploadRequest']

/** Of a video that takes a quarter of an hour at 1 MB/s, and whose clip is a few MB. */
const SIZE_BYTES = 900 * MIB
const CLIP = { seconds: 60, size: '640x360' }
const NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: MIB }

let world: FaultWorld
let folder: string
test.beforeAll(async () => {
  world = await startFaultWorld()
  folder = await mkdtemp(join(tmpdir(), 'onecut-first-'))
})
test.afterAll(async () => {
  await world.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('NOW-01 NOW-04 a teaser whose moments are chosen is paid, made and watched long before its video has arrived', async ({
  page,
}) => {
  const video = join(folder, 'beach day.mp4')
  await makeSparseVideo(video, SIZE_BYTES, MIB, CLIP)
  await signInContext(page.context(), world.client, 'home')
  world.proxy.setNetwork('home', NETWORK)
  const id = await beginUpload(page, world.proxy.origin, chooseByInput(video))

  await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
  await expect(page.getByText(/^Your 15s Teaser can be ready long before/)).toBeVisible({
    timeout: patience(60),
  })
  await page.getByRole('button', { name: 'Change options of 15s Teaser' }).click()
  const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
  await expect(board.getByText(/these are evenly spaced|found these moments/)).toBeVisible()
  await board.getByRole('button', { name: 'Apply' }).click()
  const offer = page.getByText(/^Your 15s Teaser needs .* We send these first; it is ready long/)
  await expect(offer).toBeVisible({ timeout: patience(60) })
  await photograph(page, 'first-offer', false)
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()

  await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await expect(page.getByText('Order is fully paid!')).toBeVisible()
  // The page may go meanwhile: all of it is on the device.
  await page.reload()
  await expect(page.getByText('What your first edits need').first()).toBeVisible()
  await photograph(page, 'first-sent', false)
  await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
    timeout: patience(180),
  })
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 15s teaser' }).first().click()
  const teaser = await probeFile(await (await begun).path())
  expect(teaser).toMatchObject({ width: 640, height: 360, hasAudio: true })
  expect(teaser.durationMs).toBeGreaterThan(14_000)
  expect(teaser.durationMs).toBeLessThan(16_000)

  const { uploadRequest } = (
    await world.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)
  ).body
  expect(uploadRequest.state).toBe('open')
  expect(uploadRequest.receivedBytes).toBeLessThan(SIZE_BYTES / 2)
})
