import { stat } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { makeClip } from '#tests/setup/media.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { patience } from '#tests/setup/patience.ts'
import { attest, photograph } from './flow-helpers.ts'
import { probeFile } from './flow-media.ts'
import { filesKept, holdThirdPassage, passagesKept } from './made-files.ts'
import { anyOf, expect, FAILED_REQUESTS, test } from './quiet.ts'
import { beSignedIn } from './signed-in.ts'

// The server goes away here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS) })

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

/** Everything that an edit needs is on the device: the app itself, and the engine for its sound. */
async function readyOffline(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          await navigator.serviceWorker.ready
          const engine = await (await caches.open('onecut-ffmpeg-core')).keys()
          return navigator.serviceWorker.controller !== null && engine.length > 1
        }),
      { timeout: patience(60) },
    )
    .toBe(true)
  await expect(page.getByRole('heading', { name: '15s Teaser' })).toBeVisible()
}

test('NOW-06 with the server switched off a teaser is made over the end of its page, played, saved and found again, and nothing of it outlasts a log-out', async ({
  page,
}) => {
  const path = test.info().outputPath('beach day.mp4')
  await makeClip(path, 60)
  const third = await holdThirdPassage(page)
  await beSignedIn(page, server)
  await readyOffline(page)
  await server.kill()

  await page.getByLabel('Choose a video').setInputFiles(path)
  // The check may have something to say of so small a video.
  const anyway = page.getByRole('button', { name: 'Upload anyway' })
  const make = page.getByRole('button', { name: 'Make it now: 15s Teaser' })
  await expect(make).toBeVisible({ timeout: patience(60) })
  if (await anyway.isVisible()) await anyway.click()
  await photograph(page, 'make-now-cards')
  await make.click()
  const asking = page.getByRole('dialog', { name: 'Make 15s Teaser' })
  await asking.getByRole('button', { name: 'Choose moments' }).click()
  const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
  await board.getByRole('button', { name: 'Apply' }).click()
  await expect(asking.getByText('Moments chosen by you.')).toBeVisible()
  await attest(page)
  await photograph(page, 'make-now-asking', false)
  await asking.getByRole('button', { name: 'Make it now' }).click()

  const dialog = page.getByRole('dialog', { name: '15s Teaser' })
  await expect(dialog.getByText(/^Keep this page open/)).toBeVisible()
  await expect.poll(third.isHeld).toBe(true)

  await page.goto(`${server.origin}/edits`)
  third.letGo()
  const made = page.getByRole('region', { name: 'Made on this device' })
  await expect(made.getByText(/ 2 of 6 passages are finished and kept\.$/)).toBeVisible()
  await photograph(page, 'make-now-unfinished')
  await made.getByRole('button', { name: 'Go on: 15s Teaser' }).click()
  await expect(made.getByText(/^Keep this page open/)).toBeVisible()
  await photograph(page, 'make-now-going-on')
  const save = made.getByRole('link', { name: /^Save / })
  await expect(save).toBeVisible({ timeout: patience(180) })
  const player = made.locator('video')
  await player.evaluate((video: HTMLVideoElement) => video.play())
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.2)
  const begun = page.waitForEvent('download')
  await save.click()
  const saved = await (await begun).path()
  const teaser = await probeFile(saved)
  expect(teaser).toMatchObject({ width: 320, height: 180, hasAudio: true })
  expect(teaser.durationMs).toBeGreaterThan(14_000)
  expect(teaser.durationMs).toBeLessThan(16_000)
  expect(third.written.filter((passage) => passage !== '3')).toEqual(['1', '2', '4', '5', '6'])
  expect(await passagesKept(page)).toBe(0)

  await page.reload()
  await expect(made.getByText('On this device', { exact: true })).toBeVisible()
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.duration))
    .toBeGreaterThan(14)
  await photograph(page, 'make-now-library')
  const again = page.waitForEvent('download')
  await save.click()
  expect((await stat(await (await again).path())).size).toBe((await stat(saved)).size)

  expect(await filesKept(page)).not.toEqual([])
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(/^One edit that this device made is on this/)).toBeVisible()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible({
    timeout: patience(30),
  })
  expect(await filesKept(page)).toEqual([])
})
