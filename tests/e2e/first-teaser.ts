import type { Page } from '@playwright/test'
import type { components } from '#openapi/schema.gen.ts'
import { MIB, type FaultWorld } from '#tests/faults/fault-world.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { makeSparseVideo } from '#tests/faults/sparse-file.ts'
import { beginUpload, chooseByInput, signInContext } from '#tests/faults/upload-page.ts'
import { patience } from '#tests/setup/patience.ts'
import { probeFile } from './flow-media.ts'
import { attest, photograph } from './flow-helpers.ts'
import { expect, test } from './journey.ts'

type UploadRequest = components['schemas']['UploadRequest']

/** Of a video that takes a quarter of an hour at 1 MB/s, and whose clip is a few MB. */
const SIZE_BYTES = 900 * MIB
const CLIP = { seconds: 60, size: '320x180' }
const NETWORK = { ...FAST_NETWORK, totalBytesPerSecond: MIB }

/**
 * Chooses, pays and downloads a teaser of a video on its way.
 * @returns which share of the video has arrived then, and whether it is still on its way
 */
export async function watchFirstTeaser(
  page: Page,
  world: FaultWorld,
  kind: 'mp4' | 'mkv',
): Promise<{ readonly state: string; readonly share: number }> {
  const client = await world.signUp()
  const video = test.info().outputPath(`beach day.${kind}`)
  await makeSparseVideo(video, SIZE_BYTES, MIB, CLIP)
  await signInContext(page.context(), client, 'home')
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
  await photograph(page, `first-offer-${kind}`, false)
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()

  await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await expect(page.getByText('Order is fully paid!')).toBeVisible()
  // The page may go meanwhile: all of it is on the device.
  await page.reload()
  await expect(page.getByText('What your first edits need').first()).toBeVisible()
  await photograph(page, `first-sent-${kind}`, false)
  await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
    timeout: patience(180),
  })
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 15s teaser' }).first().click()
  const teaser = await probeFile(await (await begun).path())
  expect(teaser).toMatchObject({ width: 320, height: 180, hasAudio: true })
  expect(teaser.durationMs).toBeGreaterThan(14_000)
  expect(teaser.durationMs).toBeLessThan(16_000)

  const { uploadRequest } = (
    await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)
  ).body
  const { state, receivedBytes } = uploadRequest
  return { state, share: receivedBytes / SIZE_BYTES }
}
