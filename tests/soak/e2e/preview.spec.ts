import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { expectAccessible } from '#tests/e2e/accessible.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { probeFile } from '#tests/e2e/flow-media.ts'
import { watchConsole } from '#tests/e2e/people.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { forgetFile } from './upload-device.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { previewScript } from '#src/local/previews/preview-script.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { mainThreadTasks } from '#tests/setup/main-thread.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'
import { withoutWebCodecs } from '#tests/setup/without-webcodecs.ts'

// The server goes away here.
test.use({ expectedNoise: FAILED_REQUESTS })

const run = promisify(execFile)
/** Beyond it a browser calls a task long. */
const LONGEST_TASK_MS = 50
const MARK = 'Preview - final quality is higher'
const LATER =
  'The finished edit shows the best moments of your video. This preview shows its style.'
/** Long for a preview, but the machine may be busy. */
const MADE = { timeout: patience(60) }
const TEXT = '@someusername'

let server: E2eServer
let folder: string
let source: SourceProbe

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-e2e-preview-'))
  // So small that the check has something to say, and the page waits for an answer instead of
  // uploading at once.
  await makeClip(join(folder, 'small.mp4'), 40, { size: '640x360' })
  await makeClip(join(folder, 'scene.mp4'), 24, { size: '1280x720' })
  await makeClip(join(folder, 'small.avi'), 6, { output: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'] })
  await makeClip(join(folder, 'modern.mp4'), 16, {
    output: ['-c:v', 'libsvtav1', '-preset', '12', '-svtav1-params', 'keyint=50', '-c:a', 'aac'],
  })
  await makeWithoutLength(join(folder, 'no-length.mp4'))
  const { durationMs } = await probeFile(join(folder, 'small.mp4'))
  source = {
    durationMs: Math.round(durationMs),
    width: 640,
    height: 360,
    frameRate: 25,
    hasAudio: true,
    videoCodec: 'h264',
    audioCodec: 'aac',
    audioChannels: 1,
    isHdr: false,
    fileName: 'small.mp4',
  }
  server = await startE2eServer()
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

test.beforeEach(async ({ page }) => {
  // The policy keeps pages from fetching blobs, so the test remembers what they are made of.
  await page.addInitScript(() => {
    const made = new Map<string, Blob>()
    const create = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (of: Blob | MediaSource) => {
      const address = create(of)
      if (of instanceof Blob) made.set(address, of)
      return address
    }
    Object.assign(window, { blobOf: (address: string) => made.get(address) })
  })
})

test('UPL-01 shows each format on the chosen video before a byte is sent, without the server, and never holds the page up', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000)
  const errors = watchConsole(page, /ERR_|Failed to load resource/)
  await beSignedIn(page, server)
  await expect
    .poll(
      () =>
        page.evaluate(async () => (await (await caches.open('onecut-ffmpeg-core')).keys()).length),
      { timeout: patience(120) },
    )
    .toBe(3)
  await server.kill()
  const likenesses: Promise<void>[] = []
  try {
    await page.goto(`${server.origin}/uploads/new`)
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'small.mp4'))
    await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()

    await page.getByRole('button', { name: 'Preview of Dynamic Watermark' }).click()
    const options = page.getByRole('dialog', { name: 'Dynamic Watermark' })
    await expect(
      options.getByText('Fill in the options above to see them on your video.'),
    ).toBeVisible()
    const marked = options.getByLabel('Preview of Beginning at')
    const tasks = await mainThreadTasks(browser, page, async () => {
      await options.getByLabel('Name or Social Tag').fill(TEXT)
      await expect(marked).toBeVisible(MADE)
    })
    expect(tasks[0]?.cpuMs).toBeGreaterThan(0)
    expect(tasks.filter(({ cpuMs }) => cpuMs > LONGEST_TASK_MS)).toEqual([])
    await expect(options.getByText(MARK, { exact: true })).toBeVisible()
    await photograph(page, 'preview-watermark', false)
    const before = await marked.getAttribute('src')
    await options.getByLabel('Name or Social Tag').fill('@another.name')
    await expect.poll(() => marked.getAttribute('src').catch(() => null), MADE).not.toBe(before)
    likenesses.push(
      ...(await compareWithServer(marked, 'dynamic-watermark', { text: '@another.name' }, 0)),
    )
    await options.getByRole('button', { name: 'Close' }).last().click()

    const teaser = await openPreview(page, '15s Teaser')
    await expect(teaser.getByText(LATER)).toBeVisible()
    await expect(teaser.getByLabel('Preview of Moment 1 at')).toBeVisible(MADE)
    await teaser.getByRole('button', { name: /^Moment 2\b/ }).click()
    const second = teaser.getByLabel('Preview of Moment 2 at')
    await expect(second).toBeVisible(MADE)
    likenesses.push(...(await compareWithServer(second, 'teaser-15s', undefined, 1)))
    expect(
      await second.evaluate((video: HTMLVideoElement) => video.play().then(() => video.duration)),
    ).toBeGreaterThan(1)
    await expectAccessible(page)
    await close(teaser)

    const gifs = await openPreview(page, 'Social Media GIF Pack')
    await expect(gifs.getByLabel('Preview of looping video')).toBeVisible({
      timeout: patience(120),
    })
    likenesses.push(
      ...(await compareWithServer(
        gifs.getByRole('img', { name: 'Preview of square GIF' }),
        'social-media-gif-pack',
        undefined,
        0,
      )),
    )
    await photograph(page, 'preview-gifs', false)
    await close(gifs)

    const stills = await openPreview(page, 'Still Pack')
    await expect(stills.getByRole('img', { name: /^Preview of still/ })).toHaveCount(12, {
      timeout: patience(120),
    })
    likenesses.push(
      ...(await compareWithServer(
        stills.getByRole('img', { name: 'Preview of still 1', exact: true }),
        'still-pack',
        undefined,
        0,
      )),
    )
    await expectAccessible(page)
    await close(stills)

    await page.getByRole('button', { name: 'Preview of Tube Cut' }).click()
    const cut = page.getByRole('dialog', { name: 'Tube Cut' })
    await cut.getByRole('textbox', { name: 'Target duration in minutes' }).fill('0.5')
    await cut.getByRole('textbox', { name: 'Target duration in minutes' }).blur()
    await expect(cut.getByText('Shows 30 s of 40 s, in 3 passages.')).toBeVisible()
    await expect(cut.getByRole('img', { name: /^Parts shown: 0:/ })).toBeVisible()
    await expect(cut.getByLabel('Preview of Moment 1 at')).toBeVisible(MADE)
    likenesses.push(
      ...(await compareWithServer(
        cut.getByLabel('Preview of Moment 1 at'),
        'tube-cut',
        { targetDuration: 30_000 },
        0,
      )),
    )
    await photograph(page, 'preview-tube-cut', false)
    await close(cut)

    await page.getByRole('button', { name: 'Preview of Uniform Sampling' }).click()
    const sampled = page.getByRole('dialog', { name: 'Uniform Sampling' })
    await expect(sampled.getByLabel('Preview of Moment 1 at')).toBeVisible(MADE)
    await expect(sampled.getByText(LATER)).toHaveCount(0)
    await close(sampled)

    await page.getByRole('tab', { name: 'Full Scene Edits' }).click()
    const voices = await openPreview(page, 'Voice Mask')
    await expect(voices.getByLabel('After')).toBeVisible(MADE)
    await expect(voices.getByText(MARK, { exact: true })).toBeVisible()
    expect(
      await voices
        .getByLabel('Before')
        .evaluate((sound: HTMLAudioElement) => sound.play().then(() => sound.duration)),
    ).toBeCloseTo(5, 0)
    expect(await base64Of(voices.getByLabel('After'))).not.toBe(
      await base64Of(voices.getByLabel('Before')),
    )
    await expectAccessible(page)
    await Promise.all(likenesses)
    expect(errors()).toEqual([])
  } finally {
    await Promise.allSettled(likenesses)
    await server.start()
  }
})

test('UPL-05 previews beside the upload from memory, from the copy and from the handle, calls off what is closed, and says when the video is gone', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await askForHandles(page)
  await beSignedIn(page, server)
  const parts = Promise.withResolvers<void>()
  await page.context().route('**/editors/api/v1/parts/**', async (route) => {
    await parts.promise
    await route.continue().catch(() => undefined)
  })
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'scene.mp4'))
  await page.waitForURL(/\/media-jobs\/new$/)
  // Closed while it works: the next one does not wait for it.
  const first = await openPreview(page, '15s Teaser')
  await expect(first.getByText('Making the preview on this device')).toBeVisible()
  await close(first)
  await seeFirstStill(page)

  // In the options, before they are applied.
  await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
  const options = page.getByRole('dialog', { name: 'Dynamic Watermark' })
  await options.getByLabel('Name or Social Tag').fill(TEXT)
  await options.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(options.getByLabel('Preview of Beginning at')).toBeVisible(MADE)
  await options.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(TEXT)).toBeVisible()

  // The page's memory goes with a reload; then the copy goes as well.
  await page.reload()
  await seeFirstStill(page)
  await forgetFile(page, 'handle')
  await page.reload()
  const asked = await openPreview(page, 'Still Pack')
  await expect(
    asked.getByText('This browser needs your permission to read the video again.'),
  ).toBeVisible()
  await photograph(page, 'preview-permission', false)
  await asked.getByRole('button', { name: 'Allow reading the video' }).click()
  await expect(asked.getByRole('img', { name: 'Preview of still 1', exact: true })).toBeVisible(
    MADE,
  )
  await close(asked)

  parts.resolve()
  await expect(page.getByText('Your video has been uploaded and is ready for editing')).toBeVisible(
    { timeout: patience(60) },
  )
  await page.reload()
  const gone = await openPreview(page, '15s Teaser')
  await expect(
    gone.getByText('From the server, because the file is not on this device', { exact: false }),
  ).toBeVisible()
  await expectAccessible(page)
})

test('UPL-03 a check can be called off; a video without length is refused; what this browser cannot load or decode is said', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await withoutWebCodecs(context)
  const page = await context.newPage()
  await beSignedIn(page, server)
  const core = Promise.withResolvers<'let it pass' | 'lose it'>()
  let asked = 0
  await context.route(/ffmpeg-core[^/]*\.wasm/, async (route) => {
    asked += 1
    await ((await core.promise) === 'lose it' ? route.abort() : route.continue()).catch(
      () => undefined,
    )
  })

  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'small.avi'))
  await expect(page.getByText('Checking your video on this device')).toBeVisible()
  await expect.poll(() => asked).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByText('Drag and drop your video here or click to browse')).toBeVisible()

  // What does not need the engine does not wait for it, nor for the check that was called off.
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'small.mp4'))
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  const waiting = await openPreview(page, 'Still Pack')
  await expect(waiting.getByText('0 of 12')).toBeVisible()
  core.resolve('lose it')
  await expect(waiting.getByText('The preview engine is not on this device yet.')).toBeVisible()
  await expectAccessible(page)
  await context.unroute(/ffmpeg-core[^/]*\.wasm/)
  await waiting.getByRole('button', { name: 'Try again' }).click()
  await expect(waiting.getByRole('img', { name: 'Preview of still 1', exact: true })).toBeVisible(
    MADE,
  )
  await close(waiting)

  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'modern.mp4'))
  await expect(page.getByText('This browser cannot show an image of this video.')).toBeVisible(MADE)
  await photograph(page, 'preview-no-picture')
  const undecodable = await openPreview(page, '15s Teaser')
  await expect(
    undecodable.getByText(
      'This browser cannot decode this kind of video, so it cannot show a preview.',
    ),
  ).toBeVisible(MADE)
  await expectAccessible(page)
  await close(undecodable)

  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'no-length.mp4'))
  const refused = page.getByRole('alert').filter({ hasText: 'This video has a length of zero.' })
  await expect(refused, 'A10').toContainText('Choose the original video.')
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toHaveCount(0)
  await context.close()
})

/**
 * Lets the browser ask before it reads a handle, as it does with files of the disk, and the person
 * allow it.
 */
async function askForHandles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let state: PermissionState = 'prompt'
    Object.assign(FileSystemFileHandle.prototype, {
      queryPermission: async () => state,
      requestPermission: async () => (state = 'granted'),
    })
  })
}

async function seeFirstStill(page: Page): Promise<void> {
  const stills = await openPreview(page, 'Still Pack')
  await expect(stills.getByRole('img', { name: 'Preview of still 1', exact: true })).toBeVisible(
    MADE,
  )
  await close(stills)
}

async function openPreview(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Preview of ${name}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Preview of ${name}` })
  await expect(dialog).toBeVisible()
  return dialog
}

async function close(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
}

/**
 * Takes what is shown now and compares it beside what follows: whether it is, frame by frame, what
 * the ffmpeg of the machine makes of the same plan.
 */
async function compareWithServer(
  media: Locator,
  slug: string,
  payload: unknown,
  index: number,
): Promise<readonly [Promise<void>]> {
  const compared = expectLikeServer(await base64Of(media), slug, payload, index)
  compared.catch(() => undefined)
  return [compared]
}

async function expectLikeServer(
  base64: string,
  slug: string,
  payload: unknown,
  index: number,
): Promise<void> {
  const script = previewScript(slug, source, payload)
  const item = script.ok ? script.value.items[index] : undefined
  const plan =
    item === undefined
      ? undefined
      : findRecipe(slug)?.preview?.(source, payload, item.window, { secret: SECRET })
  if (plan?.ok !== true) throw new Error('no plan')
  const place = await mkdtemp(join(folder, 'like-'))
  const paths = await renderPlan(plan.value, { source: join(folder, 'small.mp4'), folder: place })
  const shown = join(place, 'shown')
  await writeFile(shown, Buffer.from(base64, 'base64'))
  const { stderr } = await run('ffmpeg', [
    '-v',
    'info',
    '-i',
    shown,
    '-i',
    Object.values(paths)[0] ?? '',
    '-lavfi',
    '[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]ssim',
    '-f',
    'null',
    '-',
  ])
  const likeness = Number(/All:([\d.]+)/.exec(stderr)?.[1] ?? 0)
  test.info().annotations.push({ type: 'SSIM', description: `${slug} ${index}: ${likeness}` })
  expect(likeness, slug).toBeGreaterThanOrEqual(0.95)
}

/** A movie of one picture that is shown for no time. */
async function makeWithoutLength(path: string): Promise<void> {
  await makeClip(path, 0.04, {
    size: '640x360',
    sound: false,
    output: [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-use_editlist',
      '0',
      '-movflags',
      '+faststart',
    ],
  })
  const bytes = await readFile(path)
  // Length of the whole, and of its one picture (ISO/IEC 14496-12, 8.2.2 and 8.6.1.2).
  bytes.writeUInt32BE(0, bytes.indexOf('mvhd') + 20)
  bytes.writeUInt32BE(1, bytes.indexOf('stts') + 16)
  await writeFile(path, bytes)
}

function base64Of(media: Locator): Promise<string> {
  return media.evaluate(
    (element) =>
      new Promise<string>((resolve, reject) => {
        const address = element.getAttribute('src') ?? ''
        const blob: unknown =
          'blobOf' in window && typeof window.blobOf === 'function' ? window.blobOf(address) : null
        if (!(blob instanceof Blob)) return reject(new Error(`nothing behind ${address}`))
        const reader = new FileReader()
        reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
        reader.readAsDataURL(blob)
      }),
  )
}
