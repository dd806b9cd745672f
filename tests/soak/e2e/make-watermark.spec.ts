import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { probeFile } from '#tests/e2e/flow-media.ts'
import { filesKept, holdThirdPassage, passagesKept } from '#tests/e2e/made-files.ts'
import { anyOf, expect, FAILED_REQUESTS, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

// The server goes away here.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS) })

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

test('NOW-06 with the server switched off a video is watermarked over the end of its page, and nothing of it outlasts a log-out', async ({
  page,
}) => {
  test.setTimeout(patience(300))
  const path = test.info().outputPath('beach day.mp4')
  await makeClip(path, 20)
  const third = await holdThirdPassage(page)
  await beSignedIn(page, server)
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const engine = await (await caches.open('onecut-ffmpeg-core')).keys()
          return navigator.serviceWorker.controller !== null && engine.length > 1
        }),
      { timeout: patience(60) },
    )
    .toBe(true)
  await expect(page.getByRole('heading', { name: '15s Teaser' })).toBeVisible()
  await server.kill()

  await page.getByLabel('Choose a video').setInputFiles(path)
  const make = page.getByRole('button', { name: 'Make it now: Dynamic Watermark' })
  await expect(make).toBeVisible({ timeout: patience(60) })
  // The check may have something to say of so small a video.
  const anyway = page.getByRole('button', { name: 'Upload anyway' })
  if (await anyway.isVisible()) await anyway.click()
  await photograph(page, 'make-mark-cards')
  await make.click()
  const options = page.getByRole('dialog', { name: 'Dynamic Watermark', exact: true })
  await options.getByRole('textbox').first().fill('@beach.day')
  await photograph(page, 'make-mark-options', false)
  await options.getByRole('button', { name: 'Apply' }).click()
  const asking = page.getByRole('dialog', { name: 'Make Dynamic Watermark' })
  await attest(page)
  await photograph(page, 'make-mark-asking', false)
  await asking.getByRole('button', { name: 'Make it now' }).click()
  await expect.poll(third.isHeld, { timeout: patience(60) }).toBe(true)
  await photograph(page, 'make-mark-making', false)

  await page.goto(`${server.origin}/edits`)
  third.letGo()
  const made = page.getByRole('region', { name: 'Made on this device' })
  await expect(made.getByText(/ 60 % of it is finished and kept\.$/)).toBeVisible()
  await photograph(page, 'make-mark-unfinished')
  const goOn = made.getByRole('button', { name: 'Go on: Dynamic Watermark' })
  await expect(goOn).toBeVisible()
  await goOn.click()
  const save = made.getByRole('link', { name: /^Save / })
  await expect(save).toBeVisible({ timeout: patience(180) })
  await photograph(page, 'make-mark-library')
  const begun = page.waitForEvent('download')
  await save.click()
  const download = await begun
  expect(download.suggestedFilename()).toBe('beach-day-watermarked.mp4')
  const film = await probeFile(await download.path())
  expect(film).toMatchObject({ width: 320, height: 180, hasAudio: true })
  expect(Math.abs(film.durationMs - 20_000)).toBeLessThan(200)
  expect(third.written.filter((part) => part !== '3')).toEqual(['1', '2', '4'])
  expect(await passagesKept(page)).toBe(0)

  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible({
    timeout: patience(30),
  })
  expect(await filesKept(page)).toEqual([])
})
