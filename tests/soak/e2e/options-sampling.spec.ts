import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

/** Two formats from their options to their files: uniform sampling and the voice mask. */
test.describe('uniform sampling and voice mask', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-sampling-'))
    await makeClip(join(folder, 'scene.mp4'), 70, { size: '320x180' })
    await makeClip(join(folder, 'silent.mp4'), 20, {
      sound: false,
      output: [
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-g',
        '25',
        '-pix_fmt',
        'yuv420p',
        '-movflags',
        '+faststart',
      ],
    })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('OPT-05 makes a summary of the length, moments and offsets that were asked for', async ({
    page,
  }) => {
    test.setTimeout(300_000)
    await beSignedIn(page, server)
    await upload(page, 'scene.mp4')

    await page.getByRole('button', { name: 'Uniform Sampling', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Uniform Sampling' })
    const field = (group: string, name: string): Locator =>
      dialog.getByRole('group', { name: group }).getByRole('textbox', { name })
    await photograph(page, 'options-sampling', false)
    await set(field('Final length', 'Seconds'), '12')
    await set(field('Final length', 'Minutes'), '0')
    await set(field('Leave out at the start', 'Seconds'), '10')
    await set(dialog.getByRole('textbox', { name: 'Moments' }), '4')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('4 moments, 12 s')).toBeVisible()

    await page.getByRole('tab', { name: /Full Scene Edits/ }).click()
    await page.getByRole('button', { name: 'Voice Mask', exact: true }).click()
    // 350 tokens and two started minutes of 20.
    await expect(page.getByText('2 edits · 390 tokens')).toBeVisible()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
      timeout: patience(200),
    })
    await expect(page.getByRole('link', { name: 'Download summary' }).first()).toBeVisible()
    await expect(
      page.getByRole('link', { name: 'Download voice-masked video' }).first(),
    ).toBeVisible()
  })

  test('FMT-04 a voice mask is not offered for a video without sound, and says why before the upload and after it', async ({
    page,
  }) => {
    const client = await beSignedIn(page, server)
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'silent.mp4'))
    await page.getByRole('tab', { name: /Full Scene Edits/ }).click()
    // Also of Enhanced Audio, Remove Background Music and Incognito.
    await expect(page.getByText('Needs sound. This video has none.')).toHaveCount(4)
    await page.getByRole('button', { name: 'Preview of Voice Mask' }).click()
    await expect(
      page.getByText('This video has no sound, so there is no voice to change.'),
    ).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await upload(page, null)
    await page.getByRole('tab', { name: /Full Scene Edits/ }).click()
    await expect(page.getByText('Needs sound. This video has none.')).toHaveCount(4)
    await expect(page.getByRole('button', { name: 'Voice Mask', exact: true })).toBeDisabled()
    await photograph(page, 'format-needs-sound')
    // Asked for all the same, the server refuses it, with the same words.
    await expect(
      page.getByText('Your video has been uploaded and is ready for editing'),
    ).toBeVisible({ timeout: patience(60) })
    const uploadRequestId = /uploads\/([0-9a-f-]{36})\//.exec(page.url())?.[1]
    await expect
      .poll(
        async () =>
          (
            await client.post('/v2/media-jobs', {
              mediaJob: {
                uploadRequestId,
                mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'voice-mask-full-scene' }],
              },
            })
          ).status,
      )
      .toBe(422)
  })

  /** From the chosen file (null: it is chosen already) to the formats. */
  async function upload(page: Page, name: string | null): Promise<void> {
    if (name !== null) await page.getByLabel('Choose a video').setInputFiles(join(folder, name))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const formats = page.getByRole('heading', {
      name: 'Select formats to generate from your video.',
    })
    await expect(anyway.or(formats)).toBeVisible()
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
  }
})

async function set(field: Locator, value: string): Promise<void> {
  await field.fill(value)
  await field.blur()
}
