import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { projectRoot } from '#scripts/project-root.ts'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './journey.ts'
import { anyOf, FAILED_REQUESTS } from './quiet.ts'

const DIST = join(projectRoot, 'dist')

// Every visit is a first one: what was cached must not hide a failure. Files do not arrive here.
test.use({
  serviceWorkers: 'block',
  expectedNoise: anyOf(FAILED_REQUESTS, /a screen failed/),
})

/** Nothing stands out at the side, and axe finds nothing. */
async function expectFits(
  page: Page,
  colorScheme: 'light' | 'dark',
  width: 360 | 1440,
): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    ),
    'nothing stands out at the side',
  ).toBe(true)
  await expectAccessible(page)
}

test('LND-01 LEG-01 APP-01 APP-04 a visitor plays the background video, is led to a section of the terms, gets a form at the second try, and sees what is not found; axe finds nothing', async ({
  page,
  server,
}) => {
  // Without its largest picture.
  await page.route('**/landing/hero.webp', (route) => route.abort())
  await page.goto(server.origin)
  await expectFits(page, 'dark', 360)
  const isPaused = () =>
    page
      .locator('video')
      .first()
      .evaluate((video: HTMLVideoElement) => video.paused)
  // It rests under reduced motion.
  expect(await isPaused()).toBe(true)
  await playBackground(page)
  await expect.poll(isPaused).toBe(false)
  await page.getByRole('button', { name: 'Pause the background video' }).click()
  await expect.poll(isPaused).toBe(true)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload()
  await expect.poll(isPaused).toBe(false)
  await page.emulateMedia({ reducedMotion: 'reduce' })

  await page.goto(`${server.origin}/terms-of-use#withdrawal`)
  const heading = page.getByRole('heading', { name: /Right of withdrawal$/ })
  await expect(heading).toBeInViewport()
  await page.emulateMedia({ media: 'print' })
  await expect(heading).toBeVisible()
  // Paper gets the text alone.
  for (const role of ['banner', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(role)).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })

  await page.route('**/assets/LogInScreen*.js', (route) => route.abort())
  await page.goto(`${server.origin}/login`)
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await page.unroute('**/assets/LogInScreen*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Log In to the product' })).toBeVisible()
  await expectFits(page, 'dark', 1440)
  await page.goto(`${server.origin}/nowhere/at/all`)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expectFits(page, 'light', 360)
})

test('TRU-07 the app shows the licences of what it is made of, with the source of the GPL core, at the second try too', async ({
  page,
  request,
  server,
}) => {
  // A portal's page instead of the file.
  await page.route('**/licences.json', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>' }),
  )
  await page.goto(`${server.origin}/licences`)
  await expect(page.getByText('The licences could not be loaded')).toBeVisible()
  await page.unroute('**/licences.json')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(
    page.getByRole('heading', { name: 'In the app that your browser runs' }),
  ).toBeVisible()
  const react = page.getByRole('button', { name: /^react \d.*MIT$/ })
  await react.click()
  await expect(
    page.getByText('Copyright (c) Meta Platforms, Inc. and affiliates.').first(),
  ).toBeVisible()
  await expect(page.getByText(/Offer: for 3 years .* complete corresponding source/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'FFmpeg n5.1.4' })).toHaveAttribute(
    'href',
    'https://github.com/FFmpeg/FFmpeg/tree/n5.1.4',
  )
  await expect(
    page.getByRole('button', { name: /^hono MIT$/ }),
    'no version of the server',
  ).toBeVisible()
  const all = await (await request.get(`${server.origin}/licences.txt`)).text()
  for (const text of [
    'GNU GENERAL PUBLIC LICENSE',
    'The WebM Project authors',
    'SIL OPEN FONT',
    'Bitstream Vera',
  ])
    expect(all).toContain(text)
  const sbom = (await (await request.get(`${server.origin}/sbom.cdx.json`)).json()) as {
    bomFormat: string
    components: { name: string }[]
  }
  expect(sbom.bomFormat).toBe('CycloneDX')
  const names = sbom.components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'react',
      'mediabunny',
      '@ffmpeg/core',
      'workbox-routing',
      'tailwindcss',
    ]),
  )
  expect(names).not.toContain('pg')
  // The one with the server's own packages is for its operator.
  expect((await request.get(`${server.origin}/.sbom.cdx.json`)).status()).toBe(404)
})

test('LND-01 the front page needs less than 120 KB of compressed script, and none of the app', async () => {
  const names = await scriptsOf('front.html')
  let bytes = 0
  for (const name of names) {
    const plain = await readFile(join(DIST, name), 'utf8')
    expect(plain, name).not.toMatch(/indexedDB|BroadcastChannel|navigator\.locks|new Worker/)
    bytes += (await readFile(join(DIST, `${name}.br`)).catch(() => Buffer.from(plain))).length
  }
  expect(names.length).toBeGreaterThan(1)
  expect(bytes).toBeLessThan(120 * 1024)
})

/** The scripts that a page of the build loads by itself, from the build's own manifest. */
async function scriptsOf(page: string): Promise<readonly string[]> {
  const manifest = JSON.parse(
    await readFile(join(DIST, '.vite/manifest.json'), 'utf8'),
  ) as Readonly<Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>>
  const found = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (chunk === undefined || found.has(chunk.file)) return
    found.add(chunk.file)
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) walk(next)
  }
  walk(page)
  return [...found]
}

/** The server writes the button, and it answers once the script of the page has come. */
async function playBackground(page: Page): Promise<void> {
  const button = (name: string) =>
    page.getByRole('button', { name: `${name} the background video` })
  await expect(async () => {
    if (!(await button('Pause').isVisible())) await button('Play').click({ timeout: 1000 })
    await expect(button('Pause')).toBeVisible({ timeout: 1000 })
  }).toPass()
}
