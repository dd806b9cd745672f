/**
 * `node tests/pictures/make-screenshots.ts`: does the main job in a browser with a video of drawn
 * landscapes, and makes the pictures of README.md and of the browser's question before an
 * installation (`docs/pictures`, `public/screenshots`). Run it after the look of a screen changed.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as browsers, type Page } from 'playwright'
import { buildApp } from '#scripts/build-app.ts'
import { chromium, ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'
import { drawLandscapes } from '#scripts/pictures/landscape-video.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { ATTESTATION } from '#spec/attestation.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { patience } from '#tests/setup/patience.ts'

const VIDEO = { width: 1280, height: 720, rate: 24, secondsOfScene: 6 }
const DOCS = 'docs/pictures'
const INSTALLATION = 'public/screenshots'
/** Sizes that the manifest (vite.config.ts) declares, in pixels of the page. */
const WIDE = { width: 1200, height: 750, scale: 1 }
const MEDIUM = { width: 960, height: 600, scale: 1 }
const NARROW = { width: 360, height: 720, scale: 2 }

const tools = { chromium: ensureTool(chromium), ffmpeg: ensureTool(ffmpeg) }
await buildApp()
const folder = await mkdtemp(join(tmpdir(), 'onecut-screenshots-'))
const video = join(folder, 'coast-and-hills.mp4')
await drawLandscapes(tools.ffmpeg, video, VIDEO)
const server = await startE2eServer()
const browser = await browsers.launch({
  executablePath: tools.chromium,
  args: ['--no-sandbox', '--enable-features=OverlayScrollbar'],
})
try {
  const context = await browser.newContext({
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor: NARROW.scale,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${server.origin}/signup`)
  await page.getByLabel('E-mail').fill('you@example.com')
  await save(page, MEDIUM, `${DOCS}/sign-up`)

  const { client, userId } = await signUpAt(server)
  await client.patch(`/v1/${userId}/profile`, { userProfile: { profession: 'Creator/Model' } })
  await context.addCookies(
    [...client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
  )
  await page.goto(`${server.origin}/uploads/new`)
  await page.getByLabel('Choose a video').waitFor({ state: 'attached' })
  await save(page, MEDIUM, `${DOCS}/upload`)
  await doTheJob(page)
} finally {
  await browser.close()
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
}

async function doTheJob(page: Page): Promise<void> {
  await page.getByLabel('Choose a video').setInputFiles(video)
  await page.waitForURL(/\/media-jobs\/new$/)
  for (const name of ['15s Teaser', 'Social Media GIF Pack', 'Still Pack']) {
    await page.getByRole('button', { name, exact: true }).click()
    const apply = page.getByRole('button', { name: 'Apply' })
    if (await apply.isVisible()) await apply.click()
  }
  await page.getByText(ATTESTATION.text).click()
  await page.getByText('Your video has been uploaded and is ready for editing').waitFor()
  // The app says that the video is a short one.
  await page.getByRole('button', { name: 'Close message' }).click()
  const formats = page.getByRole('heading', { name: /^Select formats/ })
  await save(page, WIDE, `${DOCS}/choose-edits`, formats)
  await save(page, WIDE, `${INSTALLATION}/choose-edits`, formats)
  await save(page, NARROW, `${INSTALLATION}/choose-edits-narrow`, formats)

  await page.getByRole('button', { name: 'Submit for Editing' }).click()
  await page.getByRole('button', { name: 'Pay & Complete Order' }).waitFor()
  await save(page, MEDIUM, `${DOCS}/pay`)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await page
    .getByText('100% Processed')
    .first()
    .waitFor({ timeout: patience(300) })
  await page.getByRole('link', { name: 'View All Edits' }).click()
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await save(page, MEDIUM, `${DOCS}/edits`)
  await save(page, MEDIUM, `${INSTALLATION}/edits`)
  await save(page, NARROW, `${INSTALLATION}/edits-narrow`)
}

/** Saves what the page shows, from the top or from this element on, as a picture of this size. */
async function save(
  page: Page,
  { width, height, scale }: typeof WIDE,
  name: string,
  from?: ReturnType<Page['getByRole']>,
): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => {
    // Pages keep room for a scroll bar, which pictures do not show.
    document.documentElement.style.scrollbarGutter = 'auto'
    window.scrollTo(0, 0)
  })
  // The header stays over what scrolls.
  await from?.evaluate((element) =>
    window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 88),
  )
  await page.waitForLoadState('networkidle')
  const png = join(folder, 'picture.png')
  await page.screenshot({ path: png })
  const fit = `scale=${width * scale}:${height * scale}:flags=lanczos`
  const flags = ['-nostdin', '-v', 'error', '-y', '-i', png, '-vf', fit]
  const target = join(projectRoot, `${name}.webp`)
  execFileSync(tools.ffmpeg, [...flags, '-c:v', 'libwebp', '-quality', '82', target])
}
