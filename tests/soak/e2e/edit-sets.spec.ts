import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

/** The same edits for a second video. */
test.describe('sets of edits', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-sets-'))
    await makeClip(join(folder, 'first.mp4'), 20, { size: '320x180' })
    await makeClip(join(folder, 'silent.mp4'), 20, { size: '320x180', sound: false })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('LIF-02 a set that was saved is chosen for a video without sound, and ordered again', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    await upload(page, 'first.mp4')
    await page.getByRole('button', { name: 'Still Pack', exact: true }).click()
    await page.getByRole('tab', { name: /Full Scene Edits/ }).click()
    await page.getByRole('button', { name: 'Voice Mask', exact: true }).click()
    await page.getByRole('button', { name: 'Save as a set' }).click()
    await page.getByLabel('Name').fill('Fridays')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Fridays · 2 edits' })).toBeVisible()

    await page.goto(`${server.origin}/uploads/new`)
    await upload(page, 'silent.mp4')
    await page.getByRole('button', { name: 'Fridays · 2 edits' }).click()
    await expect(page.getByText('1 of 2 edits of "Fridays" were chosen')).toBeVisible()
    await photograph(page, 'set-chosen')
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
      timeout: patience(120),
    })
    await page.getByRole('link', { name: 'More edits of this video' }).click()
    await expect(page.getByText('You have this edit of this video.')).toBeVisible()
    await page.getByRole('button', { name: /^Order again/ }).click()
    await expect(page.getByText(/^1 edit · /)).toBeVisible()
  })

  async function upload(page: Page, name: string): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(join(folder, name))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const formats = page.getByRole('heading', {
      name: 'Select formats to generate from your video.',
    })
    await expect(anyway.or(formats)).toBeVisible()
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
  }
})
