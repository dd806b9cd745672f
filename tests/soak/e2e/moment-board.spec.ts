import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { components } from '#openapi/schema.gen.ts'
import { teaser15s } from '#recipes/teaser-15s/preset.ts'
import { probe } from '#tests/fixtures/probes.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { codesOf, differencesFrom, makeCodedClip } from '#tests/setup/coded-clip.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { uploadFile } from '#tests/setup/upload.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

type Chosen = components['schemas']['MomentChoice']
const SECONDS = 60

let server: E2eServer
let folder: string
test.beforeAll(async () => {
  server = await startE2eServer()
  folder = await mkdtemp(join(tmpdir(), 'onecut-board-'))
  await makeCodedClip(join(folder, 'scene.mp4'), SECONDS)
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

const board = (page: Page) => page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
const names = (page: Page) =>
  board(page)
    .getByRole('radio')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))

/** The moments that the server was asked for. */
async function orderedBy(client: TestClient, page: Page): Promise<Chosen> {
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/v2/media-jobs'),
  )
  await attest(page)
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  const { mediaJob } = (await sent).postDataJSON() as components['schemas']['CreateMediaJobBody']
  const [request] = mediaJob.mediaJobTaskRequests
  if (request?.mediaJobTaskPresetSlug !== 'teaser-15s' || request.payload?.moments === undefined)
    throw new Error(`No moments were asked for: ${JSON.stringify(mediaJob)}`)
  expect(client.cookies.size).toBeGreaterThan(0)
  return request.payload.moments
}

/** Points at the finale of a trailer GIF, by the pictures and the video of the server. */
async function chooseFinale(page: Page): Promise<void> {
  const finale = page.getByRole('dialog', { name: 'Short Trailer GIF' })
  await page.getByRole('button', { name: 'Short Trailer GIF', exact: true }).click()
  await finale.getByText('Include the finale').click()
  const places = finale.getByRole('toolbar', { name: 'Places in the video' })
  await places.locator('button[aria-pressed]').nth(2).click()
  await expect
    .poll(() =>
      places
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(8 * 192)
  await finale.getByRole('button', { name: 'Play your moment' }).click()
  await expect
    .poll(() => finale.locator('video').evaluate(({ paused }: HTMLVideoElement) => paused))
    .toBe(false)
  await photograph(page, 'finale', false)
  await finale.getByRole('button', { name: 'Cancel' }).click()
}

test('REC-21 REC-24 chooses and locks moments on a phone for a video of another machine, and exactly these are delivered, and again others at half price', async ({
  page,
}) => {
  test.setTimeout(420_000)
  const client = await beSignedIn(page, server)
  // The other machine: this browser never has the file.
  const { _id } = await uploadFile(client, join(folder, 'scene.mp4'))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${server.origin}/uploads/${_id}/media-jobs/new`)
  await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
  await page.getByRole('button', { name: 'Change options of 15s Teaser' }).click()
  await expect(board(page).getByRole('radio')).toHaveCount(6, { timeout: patience(120) })
  // Its pictures are of the server.
  await expect
    .poll(() =>
      board(page)
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(8 * 192)
  await board(page).getByRole('button', { name: 'Play moment 2' }).click()
  await expect
    .poll(() =>
      board(page)
        .locator('video')
        .evaluate(({ paused, videoWidth }: HTMLVideoElement) => [paused, videoWidth]),
    )
    .toEqual([false, 320])
  await board(page).getByRole('button', { name: 'Lock', exact: true }).click()
  await board(page).getByRole('radio').nth(3).click()
  await board(page).getByRole('button', { name: 'Never show' }).click()
  await board(page).getByRole('button', { name: 'Surprise me' }).click()
  await board(page).getByLabel('Begins at').last().fill('0:20.0')
  await board(page).getByLabel('Ends at').last().fill('0:22.6')
  await board(page).getByRole('button', { name: 'Add moment' }).click()
  await board(page).getByRole('button', { name: 'Earlier' }).click()
  await photograph(page, 'moment-board', false)
  const chosen = await names(page)
  await board(page).getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(/^\d moments chosen by you$/)).toBeVisible()
  await chooseFinale(page)

  await page.reload()
  await page.getByRole('button', { name: 'Change options of 15s Teaser' }).click()
  await expect(board(page).getByRole('radio').first()).toBeVisible()
  expect(await names(page)).toEqual(chosen)
  await board(page).getByRole('button', { name: 'Apply' }).click()
  const { shown } = await orderedBy(client, page)
  expect(shown.filter(({ isLocked }) => isLocked).length).toBeGreaterThan(1)

  await page.waitForURL(/\/checkout$/, { timeout: patience(60) })
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(240) })
  await page.getByRole('link', { name: 'View All Edits' }).click()
  await page.getByRole('button', { name: 'Show Edits of beach day' }).click()
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 15s teaser' }).click()
  const path = join(folder, 'teaser.mp4')
  await (await begun).saveAs(path)
  const film = probe({ durationMs: SECONDS * 1000, width: 320, height: 180, frameRate: 25 })
  const rule = teaser15s.recipe.momentRule?.(film, {})
  const overlapMs = rule?.slots === null ? rule.overlapMs : 0
  expect(differencesFrom(await codesOf(path), shown, overlapMs)).toEqual([])

  // Of 1,000 tokens 300 are spent: the trial pays the same edit again at half price.
  await page.getByRole('link', { name: 'Change this edit' }).click()
  await page.getByRole('button', { name: 'Change moments' }).click()
  await board(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await board(page).getByRole('button', { name: 'Surprise me' }).click()
  await board(page).getByRole('button', { name: 'Apply' }).click()
  await photograph(page, 'make-it-again')
  await expect(page.getByText('You have 700 tokens. 550 tokens will be left.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await expect(page.getByText('Made again, 50% off')).toBeVisible({ timeout: patience(60) })
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
    timeout: patience(240),
  })
  await expect(page.getByRole('region', { name: 'Before' }).getByRole('link')).toBeVisible()
  await expect(page.getByRole('region', { name: 'After' }).getByRole('link')).toBeVisible()
  await photograph(page, 'before-and-after', false)
})
