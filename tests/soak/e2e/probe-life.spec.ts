import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { watchConsole } from '#tests/e2e/people.ts'
import { chooseVideo, expectSmallVerdict, SMALL } from './probe-verdict.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { withoutWebCodecs } from '#tests/setup/without-webcodecs.ts'

// Pages are closed in the middle of their requests here.
test.use({ expectedNoise: FAILED_REQUESTS })

let server: E2eServer
let folder: string
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
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

const choose = (page: Page, name: string): Promise<void> => chooseVideo(page, join(folder, name))

test('checks what only ffmpeg reads with the server gone, though no such file was chosen before', async ({
  page,
}) => {
  await beSignedIn(page, server)
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
      { timeout: patience(60) },
    )
    .toEqual(['.js', '.wasm'])
  await server.kill()
  try {
    await page.goto(`${server.origin}/uploads/new`)
    for (const name of ['small.avi', 'small-hevc.mp4']) {
      await choose(page, name)
      await expectSmallVerdict(page, name)
      await page.getByRole('button', { name: 'Choose another file' }).click()
    }
  } finally {
    await server.start()
  }
})

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
        await expectSmallVerdict(page, file)
        await page.getByRole('button', { name: 'Choose another file' }).click()
      }
      expect(errors()).toEqual([])
    } finally {
      await browser.close()
    }
  })
}
