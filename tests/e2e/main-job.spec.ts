import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { attest } from './flow-helpers.ts'
import { patience } from '#tests/setup/patience.ts'
import { averageBrightness, differsFrom, makeScene, probeFile } from './flow-media.ts'
import { expect, test } from './journey.ts'
import { FAILED_REQUESTS } from './quiet.ts'
import { beSignedIn } from './signed-in.ts'

// The network goes away at the end.
test.use({ expectedNoise: FAILED_REQUESTS })

const SCENE_SIZE = { width: 320, height: 180 }
const SCENE_SECONDS = 18
/** Pictures a second: each is decoded and encoded several times. */
const SCENE_RATE = 12

test('MIS-03 UPL-05 ORD-08 JOB-10 EDT-01 uploads a video, chooses two edits, pays, downloads them, and finds them again offline', async ({
  context,
  page,
  server,
}) => {
  const scene = test.info().outputPath('beach day.mp4')
  await makeScene(scene, SCENE_SECONDS, SCENE_SIZE, SCENE_RATE)
  await beSignedIn(page, server)
  await expect(page.getByText('Start your upload to continue to this step')).toBeVisible()
  await page.getByLabel('Choose a video').setInputFiles(scene)
  await page.getByRole('button', { name: 'Upload anyway' }).click()
  await page.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/)

  const submit = page.getByRole('button', { name: 'Submit for Editing' })
  await expect(submit).toBeDisabled()
  await choose(page, '15s Teaser')
  await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
  await page.getByLabel('Name or Social Tag').fill('@someusername')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('2 edits · 320 tokens')).toBeVisible()
  await expect(page.getByText('You have 1,000 tokens. 680 tokens will be left.')).toBeVisible()
  await expect(
    page.getByText('Your video has been uploaded and is ready for editing'),
  ).toBeVisible()
  // The choice is kept on the device.
  await page.reload()
  await expect(page.getByText('2 edits · 320 tokens')).toBeVisible()
  await expect(page.getByText('@someusername')).toBeVisible()
  await expectAccessible(page)

  await attest(page)
  await submit.click()
  await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/)
  await expect(page.getByRole('button', { name: /^Pay .* 320 tokens/ })).toBeVisible()
  await page.getByRole('button', { name: 'Pay & Complete Order' }).dblclick()
  await expect(page.getByText('Payment successful')).toBeVisible()
  await expect(page.getByText('Order is fully paid!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
    timeout: patience(120),
  })
  await expect(page.getByText('100% Processed').first()).toBeVisible()
  await page.getByRole('link', { name: 'View All Edits' }).click()
  await page.getByRole('button', { name: 'Show Edits of beach day' }).click()

  const teaserPath = await download(page, 'Download 15s teaser')
  const teaser = await probeFile(teaserPath)
  expect(teaser.durationMs).toBeGreaterThan(14_000)
  expect(teaser.durationMs).toBeLessThan(16_000)
  expect(teaser.hasAudio).toBe(true)
  expect(await averageBrightness(teaserPath, 7)).toBeGreaterThan(20)

  const marked = await download(page, 'Download watermarked video')
  const watermarked = await probeFile(marked)
  expect(watermarked).toMatchObject(SCENE_SIZE)
  expect(watermarked.durationMs).toBeGreaterThan((SCENE_SECONDS - 1) * 1_000)
  expect(await differsFrom(marked, scene, 5)).toBe(true)

  // A finished edit plays in the page before its download.
  await page.getByRole('button', { name: /^Play .*teaser/i }).click()
  const video = page.locator('video').first()
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.2)

  // Without a network, the finished edits are still listed.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'beach day' })).toBeVisible()
  await expect(page.getByText('100% Processed')).toBeVisible()
  await expect(page.getByText(/as of/).first()).toBeVisible()
  await expectPicture(page.getByRole('listitem').filter({ hasText: 'beach day' }).locator('img'))
})

/** The first picture there was decoded, and is the device's own. */
async function expectPicture(images: Locator): Promise<void> {
  await expect
    .poll(() =>
      images
        .first()
        .evaluate(
          (image: HTMLImageElement) =>
            image.complete && image.naturalWidth > 0 && image.src.startsWith('blob:'),
        ),
    )
    .toBe(true)
}

async function choose(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
}

/** Saves the file of a download button; returns its path. */
async function download(page: Page, text: string): Promise<string> {
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: text, exact: true }).first().click()
  return await (await begun).path()
}
