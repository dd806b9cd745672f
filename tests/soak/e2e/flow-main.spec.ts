import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { attest, photograph, signUpInBrowser } from '#tests/e2e/flow-helpers.ts'
import {
  averageBrightness,
  differsFrom,
  makeScene,
  probeFile,
  SCENE_SIZE,
} from '#tests/e2e/flow-media.ts'
import { patience } from '#tests/setup/patience.ts'

// The server goes away at the end.
test.use({ expectedNoise: FAILED_REQUESTS })

const SCENE_SECONDS = 32

/** The main job, as a creator does it: from a video on the disk to finished edits on the disk. */
test.describe('the main job', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-flow-'))
    await makeScene(join(folder, 'beach day.mp4'), SCENE_SECONDS)
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('MIS-03 UPL-05 ORD-08 JOB-10 EDT-01 uploads a video, chooses three edits, pays, downloads them, and finds them again offline', async ({
    page,
  }) => {
    test.setTimeout(420_000)
    await signUpInBrowser(page, server, 'main-job@example.com')
    await expect(page.getByText('Start your upload to continue to this step')).toBeVisible()
    await photograph(page, 'upload-new')

    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'beach day.mp4'))
    await page.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/)
    await expect(
      page.getByText('Did you mean to upload a longer video?', { exact: false }),
    ).toBeVisible()

    const submit = page.getByRole('button', { name: 'Submit for Editing' })
    await expect(submit).toBeDisabled()
    await choose(page, '15s Teaser')
    await choose(page, 'Still Pack')
    await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Dynamic Watermark' })).toBeVisible()
    await photograph(page, 'options-watermark', false)
    await page.getByLabel('Name or Social Tag').fill('@someusername')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('3 edits · 470 tokens')).toBeVisible()
    await expect(page.getByText('You have 1,000 tokens. 530 tokens will be left.')).toBeVisible()
    await expect(
      page.getByText('Your video has been uploaded and is ready for editing'),
    ).toBeVisible({ timeout: patience(60) })
    await photograph(page, 'formats')

    // The choice is kept on the device.
    await page.reload()
    await expect(page.getByText('3 edits · 470 tokens')).toBeVisible()
    await expect(page.getByText('@someusername')).toBeVisible()

    await attest(page)
    await submit.click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: patience(60) })
    await expect(page.getByRole('button', { name: /^Pay .* 470 tokens/ })).toBeVisible()
    await photograph(page, 'payment')
    await page.getByRole('button', { name: 'Pay & Complete Order' }).dblclick()
    await expect(page.getByText('Payment successful')).toBeVisible()
    await expect(page.getByText('Order is fully paid!')).toBeVisible()
    await photograph(page, 'work')

    await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(240) })
    await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible()
    await expect(page.locator('[data-tone=complete]').first()).toBeVisible()
    await photograph(page, 'work-done')
    await page.getByRole('link', { name: 'View All Edits' }).click()
    await page.getByRole('button', { name: 'Show Edits of beach day' }).click()
    await photograph(page, 'edits')

    const teaser = await probeFile(await download(page, 'Download 15s teaser', folder))
    expect(teaser.durationMs).toBeGreaterThan(14_000)
    expect(teaser.durationMs).toBeLessThan(16_000)
    expect(teaser.hasAudio).toBe(true)
    expect(await averageBrightness(join(folder, 'Download 15s teaser'), 7)).toBeGreaterThan(20)

    const marked = join(folder, 'Download watermarked video')
    const watermarked = await probeFile(await download(page, 'Download watermarked video', folder))
    expect(watermarked).toMatchObject(SCENE_SIZE)
    expect(watermarked.durationMs).toBeGreaterThan((SCENE_SECONDS - 1) * 1_000)
    expect(await averageBrightness(marked, SCENE_SECONDS / 2)).toBeGreaterThan(20)
    expect(await differsFrom(marked, join(folder, 'beach day.mp4'), 5)).toBe(true)

    const archive = await download(page, 'Download all stills (ZIP)', folder)
    expect((await stat(archive)).size).toBeGreaterThan(100_000)
    await page.getByRole('button', { name: /more files/ }).click()
    const still = await probeFile(await download(page, 'Download still 1', folder))
    expect(still).toMatchObject(SCENE_SIZE)
    expect(await averageBrightness(join(folder, 'Download still 1'), 0)).toBeGreaterThan(20)

    // A finished edit plays in the page before its download.
    await page.getByRole('button', { name: /^Play .*teaser/i }).click()
    await expect
      .poll(() =>
        page
          .locator('video')
          .first()
          .evaluate((video: HTMLVideoElement) => video.currentTime),
      )
      .toBeGreaterThan(0.2)

    // Without the server, the finished edits are still listed.
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await server.stop()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'beach day' })).toBeVisible()
    await expect(page.getByText('100% Processed')).toBeVisible()
    await expect(page.getByText(/as of/).first()).toBeVisible({ timeout: patience(40) })
    await photograph(page, 'edits-offline')
    await server.start()
  })
})

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
}

/** Saves the file of a download button under the button's text; returns the path. */
async function download(page: Page, text: string, folder: string): Promise<string> {
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: text, exact: true }).first().click()
  const path = join(folder, text)
  await (await saved).saveAs(path)
  return path
}
