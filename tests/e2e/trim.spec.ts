import type { components } from '#openapi/schema.gen.ts'
import { expectDone } from '#tests/faults/upload-page.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { attest, photograph } from './flow-helpers.ts'
import { expect, test } from './journey.ts'
import { beSignedIn } from './signed-in.ts'

type UploadRequest = components['schemas']['UploadRequest']

const SECONDS = 130
/** Few pictures, so that the check of the server costs little, and a key every two seconds. */
const FEW = ['-r', '5', '-g', '10', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']

test('NOW-02 only a part of a video is sent, over a reload, and paid for', async ({
  page,
  server,
}) => {
  const path = test.info().outputPath('beach day.mp4')
  await makeClip(path, SECONDS, { size: '854x480', output: FEW })
  const client = await beSignedIn(page, server)
  const parts = Promise.withResolvers<void>()
  await page.context().route('**/editors/api/v1/parts/**', async (route) => {
    await parts.promise
    await route.continue().catch(() => undefined)
  })
  await page.getByLabel('Choose a video').setInputFiles(path)
  await page.waitForURL(/\/media-jobs\/new$/)
  await page.getByRole('tab', { name: 'Full Scene Edits' }).click()
  await page.getByRole('button', { name: 'Voice Mask', exact: true }).click()
  await expect(page.getByText('1 edit · 60 tokens')).toBeVisible()
  const whole = page.url()

  await page.getByRole('button', { name: 'Send only a part: beach day.mp4' }).click()
  await page.getByLabel('From', { exact: true }).fill('40')
  await page.getByLabel('To', { exact: true }).fill('1:20')
  await page.getByLabel('To', { exact: true }).press('Enter')
  await expect(page.getByText(/^Only 0:40 to 1:20 \(0:40\), /)).toBeVisible()
  await photograph(page, 'trim-open', false)
  await page.getByRole('button', { name: 'Use this part' }).click()
  await page.waitForURL((address) => address.href !== whole)
  await expect(page.getByText('only 0:40 to 1:20', { exact: true })).toBeVisible()
  await expect(page.getByText('1 edit · 20 tokens')).toBeVisible()

  await page.reload()
  await expect(page.getByText('only 0:40 to 1:20', { exact: true })).toBeVisible()
  parts.resolve()
  await expectDone(page, patience(120))
  await expect(page.getByText('Proof that 0:40 to 1:20 arrived')).toBeVisible()
  // Cut as it is, it is no worse than the whole.
  await expect(page.getByText(/^The sound /)).toHaveCount(0)
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/)
  await expect(page.getByRole('button', { name: /^Pay .* 20 tokens/ })).toBeVisible()
  await expect(page.getByText('0:40, only 0:40 to 1:20 of the file')).toBeVisible()
  await page.getByRole('link', { name: 'My Edits' }).click()
  await expect(page.getByText('0:40, only 0:40 to 1:20 of the file')).toBeVisible()

  const { uploadRequests } = (
    await client.get<{ uploadRequests: readonly UploadRequest[] }>('/v1/upload-requests')
  ).body
  const arrived = uploadRequests.find(({ isValidated }) => isValidated)
  expect(arrived?.sourceMetadata?.duration).toBeGreaterThan(39_000)
  expect(arrived?.sourceMetadata?.duration).toBeLessThan(41_000)
})
