import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from './quiet.ts'
import { signUp, watchConsole } from './people.ts'
import { makeScene } from './flow-media.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { mainThreadTasks } from '#tests/setup/main-thread.ts'
import { makeClip } from '#tests/setup/media.ts'
import { withoutWebCodecs } from '#tests/setup/without-webcodecs.ts'

// Pages are closed in the middle of their requests here.
test.use({ expectedNoise: FAILED_REQUESTS })

let server: E2eServer
let folder: string
/**
 * So small that the check has something to say, and the page waits for an answer instead of
 * uploading at once.
 */
const SMALL = { size: '320x180' } as const
const ONLY_SMALL = /This video is only 320\s?×\s?180/
/** Beyond it a browser calls a task long. */
const LONGEST_TASK_MS = 50
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-probe-life-'))
  await makeClip(join(folder, 'small.mp4'), 6, SMALL)
  await makeClip(join(folder, 'small.avi'), 6, {
    ...SMALL,
    output: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  })
  await makeClip(join(folder, 'small-hevc.mp4'), 6, {
    ...SMALL,
    output: ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-c:a', 'aac'],
  })
  await makeScene(join(folder, 'scene.mp4'))
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

const choose = (page: Page, name: string): Promise<void> =>
  page.getByLabel('Choose a video').setInputFiles(join(folder, name))

/** The card with what was found, and the picture of the video: decoded, not only there. */
async function expectVerdict(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page.getByText(ONLY_SMALL).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  const poster = page.getByRole('img', { name: 'First frame of the video' })
  await expect(poster).toBeVisible()
  await expect
    .poll(() =>
      poster.evaluate((image) =>
        image instanceof HTMLImageElement && image.complete ? image.naturalWidth : 0,
      ),
    )
    .toBe(320)
}

test('checks what only ffmpeg reads with the server gone, though no such file was chosen before', async ({
  page,
}) => {
  await signUp(page, server, 'offline-check@example.com')
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const kept = await (await caches.open('onecut-ffmpeg-core')).keys()
          return kept
            .map(({ url }) => /ffmpeg-core[^/]*(\.js|\.wasm)$/.exec(url)?.[1])
            .filter((ending) => ending !== undefined)
            .toSorted()
        }),
      { timeout: 60_000 },
    )
    .toEqual(['.js', '.wasm'])
  await server.kill()
  try {
    await page.goto(`${server.origin}/uploads/new`)
    for (const name of ['small.avi', 'small-hevc.mp4']) {
      await choose(page, name)
      await expectVerdict(page, name)
      await page.getByRole('button', { name: 'Choose another file' }).click()
    }
  } finally {
    await server.start()
  }
})

test('checking a video and making its pictures never holds the page up', async ({
  page,
  browser,
}) => {
  await signUp(page, server, 'smooth@example.com')
  await expect(
    page.getByRole('heading', { name: 'What you can make from your video' }),
  ).toBeVisible()
  for (const [name, ready] of [
    ['small.avi', expectVerdict],
    ['scene.mp4', expectStarted],
  ] as const) {
    const tasks = await mainThreadTasks(browser, page, async () => {
      await choose(page, name)
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
  ).toBeVisible({ timeout: 60_000 })
}

const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' })
const BROWSERS = [
  { name: 'Firefox', start: startFirefox, prepare: undefined },
  { name: 'Chromium without WebCodecs', start: startChromium, prepare: withoutWebCodecs },
] as const
for (const { name, start, prepare } of BROWSERS) {
  test(`the check, its words and the picture in ${name}`, async () => {
    const browser = await start()
    try {
      const context = await browser.newContext(
        prepare === undefined ? {} : { serviceWorkers: 'block' },
      )
      await prepare?.(context)
      const page = await context.newPage()
      const errors = watchConsole(page)
      const { client, userId } = await signUpAt(server)
      await client.patch(`/v1/${userId}/profile`, { userProfile: { profession: 'Creator/Model' } })
      await signInContext(context, client, 'direct')
      await page.goto(`${server.origin}/uploads/new`)
      for (const file of ['small.mp4', 'small.avi', 'small-hevc.mp4']) {
        await choose(page, file)
        await expectVerdict(page, file)
        await page.getByRole('button', { name: 'Choose another file' }).click()
      }
      expect(errors()).toEqual([])
    } finally {
      await browser.close()
    }
  })
}
