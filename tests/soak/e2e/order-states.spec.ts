import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attest, photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// The server goes away here.
test.use({ expectedNoise: FAILED_REQUESTS })

/**
 * What goes wrong with orders, lists and edits, what the screens say then, and what a device shows
 * without its server.
 */
test.describe('orders and the library when something fails', () => {
  let server: E2eServer
  let folder: string
  let wrapper: string

  /** ffmpeg as it is, or one whose encoder fails; a tool in its confinement sees no other file. */
  async function setEncoder(state: 'works' | 'fails'): Promise<void> {
    const failing = `case "$*" in *libx264*) echo 'Error while encoding' >&2; exit 1;; esac\n`
    const script = `#!/bin/sh\n${state === 'fails' ? failing : ''}exec ffmpeg "$@"\n`
    await writeFile(wrapper, script, { mode: 0o755 })
  }

  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onecut-states-'))
    await chmod(folder, 0o755)
    wrapper = join(folder, 'ffmpeg')
    await setEncoder('works')
    await makeClip(join(folder, 'garden scene.mp4'), 20, { size: '320x180' })
    server = await startE2eServer({ FFMPEG_PATH: wrapper, FFPROBE_PATH: '/usr/bin/ffprobe' })
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('JOB-10 REC-24 a failed edit says so, gives its tokens back, and can be tried again for free', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    await upload(page)
    await expect(
      page.getByText('Your video has been uploaded and is ready for editing'),
    ).toBeVisible({ timeout: patience(60) })
    await setEncoder('fails')
    await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible()
    await expect(page.getByText('300 tokens returned to your wallet.')).toBeVisible({
      timeout: patience(90),
    })
    await photograph(page, 'work-failed')
    await setEncoder('works')
    await page.goto(`${server.origin}/edits`)
    await page.getByRole('button', { name: 'Show Edits of garden scene' }).click()
    await expect(page.getByText('Free of charge.')).toBeVisible()
    await photograph(page, 'edits-failed')
    await page.getByRole('button', { name: 'Try again: 15s Teaser' }).click()
    await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(90) })
    await expect(page.getByRole('link', { name: 'Download 15s teaser' })).toBeVisible()
  })

  test('EDT-01 pictures of a video are in the queue and in the library, without the server too, and go at sign-out; its two jobs can be told apart', async ({
    page,
    context,
  }) => {
    await beSignedIn(page, server)
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    await context.route('**/editors/api/v1/parts/**', async (route) => {
      await opened
      await route.continue().catch(() => undefined)
    })
    await upload(page)
    // All of them: the deep check goes no further once its page is left.
    await expect(
      page.getByRole('img', { name: '12 frames from the beginning to the end of the video' }),
    ).toBeVisible({ timeout: patience(60) })
    await page.goto(`${server.origin}/uploads/new`)
    const queue = page.getByRole('region', { name: 'Unfinished uploads on this device' })
    await expect(queue.locator('img')).toBeVisible()
    await expectPicture(queue.locator('img'))
    await photograph(page, 'queue-picture')
    await page.getByRole('link', { name: 'Choose edits' }).click()
    await order(page, 'Still Pack')
    // The server has no picture yet; this device has.
    await page.goto(`${server.origin}/edits`)
    await expectPicture(
      page.getByRole('listitem').filter({ hasText: 'garden scene' }).locator('img').first(),
    )
    open()
    await page.getByRole('link', { name: 'Finish payment' }).click()
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(120) })

    // The same video again: another order on its card.
    const uploadId = await page.evaluate(
      async () =>
        (
          (await (await fetch('/editors/api/v1/media-jobs/paginated')).json()) as {
            mediaJobs: { uploadRequestId: string }[]
          }
        ).mediaJobs[0]?.uploadRequestId,
    )
    await page.goto(`${server.origin}/uploads/${uploadId}/media-jobs/new`)
    await order(page, '15s Teaser', false)
    await page.goto(`${server.origin}/edits`)
    await expect(page.getByRole('heading', { level: 2, name: 'garden scene' })).toHaveCount(1)
    const shows = page.getByRole('button', {
      name: /^Show Edits of garden scene, \w+ \d+, \d{4}, \d+:\d\d:\d\d/,
    })
    await expect(shows).toHaveCount(2)
    const [first, second] = await shows.allTextContents()
    expect(first).not.toBe(second)
    await expect(page.getByText('Still Pack', { exact: true })).toBeVisible()
    await expect(page.getByText('15s Teaser', { exact: true })).toBeVisible()

    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await server.stop()
    await page.reload()
    await expect(shows).toHaveCount(2)
    await shows.last().click()
    // What was opened stays open when the list turns out to be the device's own.
    await expect(page.getByText(/^As of /)).toBeVisible()
    await expect(
      page.getByRole('img', { name: '12 frames from the beginning to the end of the video' }),
    ).toBeVisible()
    await expectPicture(
      page.getByRole('listitem').filter({ hasText: 'garden scene' }).locator('img').first(),
    )
    await photograph(page, 'edits-offline-pictures')

    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(`${server.origin}/login`)
    expect(
      await page.evaluate(async () => (await indexedDB.databases()).map((db) => db.name)),
    ).toEqual(['onecut-device'])
    await server.start()
  })

  async function upload(page: Page): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'garden scene.mp4'))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    const formats = page.getByRole('heading', {
      name: 'Select formats to generate from your video.',
    })
    await expect(anyway.or(formats)).toBeVisible()
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
    await formats.waitFor()
  }

  /** The first order of a video asks for more than the later ones. */
  async function order(page: Page, format: string, isFirst = true): Promise<void> {
    await page.getByRole('button', { name: format, exact: true }).click()
    if (isFirst) await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: patience(60) })
  }
})

/** The picture was decoded and is not a placeholder. */
async function expectPicture(image: ReturnType<Page['locator']>): Promise<void> {
  await expect
    .poll(() =>
      image.evaluate(
        (element: HTMLImageElement) =>
          element.complete && element.naturalWidth > 0 && element.src.startsWith('blob:'),
      ),
    )
    .toBe(true)
}
