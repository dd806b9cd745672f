import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { makeScene } from '#tests/e2e/flow-media.ts'
import { chooseVideo, expectSmallVerdict, SMALL } from './probe-verdict.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { mainThreadTasks } from '#tests/setup/main-thread.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

// The page is closed in the middle of its requests.
test.use({ expectedNoise: FAILED_REQUESTS })

/** Beyond it a browser calls a task long. */
const LONGEST_TASK_MS = 50

let server: E2eServer
let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-probe-smooth-'))
  await makeClip(join(folder, 'small.avi'), 6, {
    ...SMALL,
    output: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  })
  await makeScene(join(folder, 'scene.mp4'), 60, { width: 1920, height: 1080 })
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('checking a video and making its pictures never holds the page up', async ({
  page,
  browser,
}) => {
  await beSignedIn(page, server)
  await expect(
    page.getByRole('heading', { name: 'What you can make from your video' }),
  ).toBeVisible()
  for (const [name, ready] of [
    ['small.avi', expectSmallVerdict],
    ['scene.mp4', expectStarted],
  ] as const) {
    const tasks = await mainThreadTasks(browser, page, async () => {
      await chooseVideo(page, join(folder, name))
      await ready(page, name)
    })
    expect(tasks[0]?.cpuMs).toBeGreaterThan(0)
    expect(
      tasks.filter(({ cpuMs }) => cpuMs > LONGEST_TASK_MS),
      name,
    ).toEqual([])
    if (name === 'small.avi')
      await page.getByRole('button', { name: 'Choose another file' }).click()
  }
})

/** The upload has its page, and the strip of pictures is whole. */
async function expectStarted(page: Page): Promise<void> {
  await page.waitForURL(/\/uploads\/[0-9a-f-]{36}\/media-jobs\/new$/)
  await expect(
    page.getByText('Your video has been uploaded and is ready for editing').first(),
  ).toBeVisible({ timeout: patience(60) })
}
