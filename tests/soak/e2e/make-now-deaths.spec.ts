import type { Page } from '@playwright/test'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { probeFile } from '#tests/e2e/flow-media.ts'
import { holdThirdPassage, passagesKept, type HeldPassage } from '#tests/e2e/made-files.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

// Workers die here, aloud.
test.use({ expectedNoise: /the worker dies/ })

let server: E2eServer
test.beforeAll(async () => {
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
})

const dialogOf = (page: Page) => page.getByRole('dialog', { name: '15s Teaser' })

/** A teaser is being made, and two passages of it are kept; the third one waits. */
async function beginTeaser(page: Page): Promise<HeldPassage> {
  const path = test.info().outputPath('beach day.mp4')
  await makeClip(path, 60)
  const third = await holdThirdPassage(page)
  await beSignedIn(page, server)
  await page.getByLabel('Choose a video').setInputFiles(path)
  const make = page.getByRole('button', { name: 'Make it now: 15s Teaser' })
  await expect(make).toBeVisible({ timeout: patience(60) })
  await make.click()
  const asking = page.getByRole('dialog', { name: 'Make 15s Teaser' })
  await attest(page)
  await asking.getByRole('button', { name: 'Make it now' }).click()
  const goOn = asking.getByRole('button', { name: 'Do not wait' })
  await expect(goOn.or(dialogOf(page).getByText(/^Keep this page open/))).toBeVisible()
  if (await goOn.isVisible()) await goOn.click()
  await expect.poll(third.isHeld, { timeout: patience(60) }).toBe(true)
  return third
}

function mediaWorker(page: Page) {
  const worker = page.workers().find((each) => each.url().includes('media.worker'))
  if (worker === undefined) throw new Error('no media worker runs')
  return worker
}

async function expectMade(page: Page): Promise<void> {
  const save = dialogOf(page).getByRole('link', { name: /^Save / })
  await expect(save).toBeVisible({ timeout: patience(180) })
  const begun = page.waitForEvent('download')
  await save.click()
  const teaser = await probeFile(await (await begun).path())
  expect(teaser).toMatchObject({ width: 320, height: 180, hasAudio: true })
  expect(teaser.durationMs).toBeGreaterThan(14_000)
  expect(await passagesKept(page)).toBe(0)
}

/** Each way in which a worker can end under its page. */
const DEATHS = {
  'breaks, which the browser tells': () => {
    setTimeout(() => {
      throw new Error('the worker dies')
    })
  },
  'ends without a word': () => self.close(),
} as const

for (const [how, die] of Object.entries(DEATHS))
  test(`NOW-07 a media worker that ${how} is started again, and the edit goes on`, async ({
    page,
  }) => {
    test.setTimeout(patience(300))
    const third = await beginTeaser(page)
    const worker = mediaWorker(page)
    const gone = worker.waitForEvent('close', { timeout: patience(60) })
    await worker.evaluate(die).catch(() => undefined)
    await gone
    third.letGo()
    await expectMade(page)
    expect(third.written.filter((passage) => passage < '3')).toEqual(['1', '2'])
  })

test('NOW-07 a disk that is full in the middle says how much room is missing, and the edit goes on after that', async ({
  page,
}) => {
  test.setTimeout(patience(300))
  const third = await beginTeaser(page)
  const devtools = await page.context().newCDPSession(page)
  const fill = (quotaSize?: number) =>
    devtools.send('Storage.overrideQuotaForOrigin', {
      origin: server.origin,
      ...(quotaSize === undefined ? {} : { quotaSize }),
    })
  await fill(1)
  third.letGo()
  const dialog = dialogOf(page)
  await expect(
    dialog.getByText(/more are needed: make room, then go on\. 2 of 6 passages are finished/),
  ).toBeVisible({ timeout: patience(60) })
  await photograph(page, 'make-now-full', false)
  await fill()
  await dialog.getByRole('button', { name: 'Go on: 15s Teaser' }).click()
  await expectMade(page)
})
