import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { photograph } from './flow-helpers.ts'
import { probeFile } from './flow-media.ts'
import { signUp, watchConsole } from './people.ts'
import { findRecipe } from '#recipes/registry.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { previewScript } from '#src/local/probe/preview-script.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'

const run = promisify(execFile)
const MARK = 'Preview - final quality is higher'
const LATER = 'Moments are chosen after the upload; this shows the style.'
/** Long for a preview, but the machine may be busy. */
const MADE = { timeout: 60_000 }
const TEXT = '@someusername'

let server: E2eServer
let folder: string
let source: SourceProbe

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-e2e-preview-'))
  // So small that the check has something to say, and the page waits for an answer instead of uploading at once.
  await makeClip(join(folder, 'small.mp4'), 40, { size: '640x360' })
  await makeClip(join(folder, 'scene.mp4'), 30, { size: '1280x720' })
  const { durationMs } = await probeFile(join(folder, 'small.mp4'))
  source = { durationMs: Math.round(durationMs), width: 640, height: 360, frameRate: 25, hasAudio: true, videoCodec: 'h264', audioCodec: 'aac', audioChannels: 1, isHdr: false, fileName: 'small.mp4' }
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

test('UPL-01 shows each format on the chosen video before a byte is sent, without the server', async ({ page }) => {
  test.setTimeout(600_000)
  const errors = watchConsole(page, /ERR_|Failed to load resource/)
  await signUp(page, server, 'preview-offline@example.com')
  await expect.poll(() => page.evaluate(async () => (await (await caches.open('onecut-ffmpeg-core')).keys()).length), { timeout: 120_000 }).toBe(3)
  await server.kill()
  try {
    await page.goto(`${server.origin}/uploads/new`)
    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'small.mp4'))
    await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
    await photograph(page, 'preview-buttons')

    await page.getByRole('button', { name: 'Preview of Dynamic Watermark' }).click()
    const options = page.getByRole('dialog', { name: 'Dynamic Watermark' })
    await expect(options.getByText('Fill in the options above to see them on your video.')).toBeVisible()
    await options.getByLabel('Name or Social Tag').fill(TEXT)
    const marked = options.getByLabel('Preview of Beginning at')
    await expect(marked).toBeVisible(MADE)
    await expect(options.getByText(MARK, { exact: true })).toBeVisible()
    await expectLikeServer(marked, 'dynamic-watermark', { text: TEXT }, 0)
    await photograph(page, 'preview-watermark', false)
    const before = await marked.getAttribute('src')
    await options.getByLabel('Name or Social Tag').fill('@another.name')
    await expect.poll(() => marked.getAttribute('src').catch(() => null), MADE).not.toBe(before)
    await expectLikeServer(marked, 'dynamic-watermark', { text: '@another.name' }, 0)
    await options.getByRole('button', { name: 'Close' }).last().click()

    const teaser = await openPreview(page, '15s Teaser')
    await expect(teaser.getByText(LATER)).toBeVisible()
    const first = teaser.getByLabel('Preview of Moment 1 at')
    await expect(first).toBeVisible(MADE)
    await expectLikeServer(first, 'teaser-15s', undefined, 0)
    await teaser.getByRole('button', { name: /^Moment 2\b/ }).click()
    const second = teaser.getByLabel('Preview of Moment 2 at')
    await expect(second).toBeVisible(MADE)
    await expectLikeServer(second, 'teaser-15s', undefined, 1)
    expect(await second.evaluate((video: HTMLVideoElement) => video.play().then(() => video.duration))).toBeGreaterThan(1)
    await photograph(page, 'preview-teaser', false)
    await close(teaser)

    const gifs = await openPreview(page, 'Social Media GIF Pack')
    await expect(gifs.getByLabel('Preview of looping video')).toBeVisible({ timeout: 120_000 })
    await expectLikeServer(gifs.getByRole('img', { name: 'Preview of square GIF' }), 'social-media-gif-pack', undefined, 0)
    await photograph(page, 'preview-gifs', false)
    await close(gifs)

    const stills = await openPreview(page, 'Still Pack')
    await expect(stills.getByRole('img', { name: /^Preview of still/ })).toHaveCount(12, { timeout: 120_000 })
    await expectLikeServer(stills.getByRole('img', { name: 'Preview of still 1', exact: true }), 'still-pack', undefined, 0)
    await photograph(page, 'preview-stills', false)
    await close(stills)

    await page.getByRole('button', { name: 'Preview of Tube Cut' }).click()
    const cut = page.getByRole('dialog', { name: 'Tube Cut' })
    await cut.getByRole('textbox', { name: 'Target duration in minutes' }).fill('0.5')
    await cut.getByRole('textbox', { name: 'Target duration in minutes' }).blur()
    await expect(cut.getByText('Shows 30 s of 40 s, in 3 passages.')).toBeVisible()
    await expect(cut.getByRole('img', { name: /^Parts shown: 0:/ })).toBeVisible()
    await expect(cut.getByLabel('Preview of Moment 1 at')).toBeVisible(MADE)
    await expectLikeServer(cut.getByLabel('Preview of Moment 1 at'), 'tube-cut', { targetDuration: 30_000 }, 0)
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
    expect(await voices.getByLabel('Before').evaluate((sound: HTMLAudioElement) => sound.play().then(() => sound.duration))).toBeCloseTo(5, 0)
    expect(await base64Of(voices.getByLabel('After'))).not.toBe(await base64Of(voices.getByLabel('Before')))
    await photograph(page, 'preview-voice', false)
    expect(errors()).toEqual([])
  } finally {
    await server.start()
  }
})

test('UPL-05 previews beside the upload, calls off what is closed, and says when the video is gone', async ({ page }) => {
  test.setTimeout(300_000)
  await signUp(page, server, 'preview-beside@example.com')
  await page.getByLabel('Choose a video').setInputFiles(join(folder, 'scene.mp4'))
  await page.waitForURL(/\/media-jobs\/new$/)
  // Closed while it works: the next one does not wait for it.
  const first = await openPreview(page, '60s Teaser')
  await expect(first.getByText('Making the preview on this device')).toBeVisible()
  await close(first)
  const second = await openPreview(page, 'Still Pack')
  await expect(second.getByRole('img', { name: 'Preview of still 1', exact: true })).toBeVisible(MADE)
  await close(second)

  // In the options, before they are applied.
  await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
  const options = page.getByRole('dialog', { name: 'Dynamic Watermark' })
  await options.getByLabel('Name or Social Tag').fill(TEXT)
  await options.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(options.getByLabel('Preview of Beginning at')).toBeVisible(MADE)
  await options.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(TEXT)).toBeVisible()

  // The copy on this device goes when the server has it all.
  await expect(page.getByText('Your video has been uploaded and is ready for editing')).toBeVisible({ timeout: 60_000 })
  await page.reload()
  const gone = await openPreview(page, '15s Teaser')
  await expect(gone.getByText('The video is not on this device any more, so there is no preview.')).toBeVisible()
  await photograph(page, 'preview-gone', false)
})

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

/** What is shown is, frame by frame, what the ffmpeg of the machine makes of the same plan. */
async function expectLikeServer(media: Locator, slug: string, payload: unknown, index: number): Promise<void> {
  const script = previewScript(slug, source, payload)
  const item = script.ok ? script.value.items[index] : undefined
  const plan = item === undefined ? undefined : findRecipe(slug)?.preview?.(source, payload, item.window)
  if (plan?.ok !== true) throw new Error('no plan')
  const paths = await renderPlan(plan.value, { source: join(folder, 'small.mp4'), folder })
  const shown = join(folder, 'shown')
  await writeFile(shown, Buffer.from(await base64Of(media), 'base64'))
  const { stderr } = await run('ffmpeg', ['-v', 'info', '-i', shown, '-i', Object.values(paths)[0] ?? '', '-lavfi', '[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]ssim', '-f', 'null', '-'])
  const likeness = Number(/All:([\d.]+)/.exec(stderr)?.[1] ?? 0)
  test.info().annotations.push({ type: 'SSIM', description: `${slug} ${index}: ${likeness}` })
  console.info(`${slug} ${index}: SSIM ${likeness}`)
  expect(likeness).toBeGreaterThanOrEqual(0.95)
}

function base64Of(media: Locator): Promise<string> {
  return media.evaluate((element) => new Promise<string>((resolve, reject) => {
    const address = element.getAttribute('src') ?? ''
    const blob: unknown = 'blobOf' in window && typeof window.blobOf === 'function' ? window.blobOf(address) : null
    if (!(blob instanceof Blob)) return reject(new Error(`nothing behind ${address}`))
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.readAsDataURL(blob)
  }))
}
