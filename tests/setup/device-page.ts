import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { build, preview } from 'vite'
import { projectRoot } from '#server/project-root.ts'
import { kept, type Ingredient } from './kept.ts'

/**
 * A production build of tests/fixtures/device-page, opened in a browser: Chromium unless the
 * test names another.
 */
export interface DevicePage {
  readonly browser: Browser
  readonly page: Page
  /** Requests that left the page's origin. */
  readonly foreign: readonly string[]
  close(): Promise<void>
}

/** The policy of the real server, as far as workers and WebAssembly go. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"

/** All that the page consists of, beside packages. */
const PAGE: readonly Ingredient[] = [
  ...['src', 'workers', 'recipes', 'checks', 'spec', 'tests/fixtures/device-page'].map((code) => ({
    code,
  })),
  { file: join(projectRoot, 'package-lock.json') },
]

export function startChromium(): Promise<Browser> {
  return chromium.launch({
    // The shell draws no window and takes less processor time.
    executablePath:
      process.env['HEADLESS_SHELL_PATH'] ?? process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
}

export async function openDevicePage(
  startBrowser: () => Promise<Browser> = startChromium,
  prepare: (context: BrowserContext) => Promise<void> = async () => undefined,
): Promise<DevicePage> {
  const shared = {
    root: join(import.meta.dirname, '../fixtures/device-page'),
    configFile: false,
    logLevel: 'error',
  } as const
  const outDir = await kept('pages', PAGE, async (folder) => {
    await build({
      ...shared,
      worker: { format: 'es' },
      build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0 },
    })
  })
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1', headers: { 'Content-Security-Policy': POLICY } },
  })
  const browser = await startBrowser()
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await prepare(context)
  const page = await context.newPage()
  const address = server.httpServer.address()
  const origin =
    typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:'))
      foreign.push(request.url())
  })
  await page.goto(origin)
  await page.waitForFunction(() => 'device' in window)
  return {
    browser,
    page,
    foreign,
    close: async () => {
      await browser.close()
      await server.close()
    },
  }
}
