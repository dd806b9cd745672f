import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import type {} from './probe-page/main.ts'
import { bytesReadBy, forgetPeak, memoryOf, processorMsOf } from '#tests/setup/browser-processes.ts'

/** The bench page as built files on a server of its own. */
export interface BenchSite { readonly origin: string; close(): Promise<void> }

/** A Chromium with one page of the site; fresh, so nothing is in its caches. */
export interface BenchPage {
  readonly page: Page
  choose(path: string): Promise<void>
  /** Bytes that all processes of this browser read from files so far; what the browser reads for itself counts as well. */
  readBytes(): Promise<number>
  /** Processor time of all processes of this browser so far. */
  processorMs(): Promise<number>
  /** Runs `work` and gives the growth of the page's process over its size before, in bytes, and the work's answer. */
  peakOf<T>(work: () => Promise<T>): Promise<{ readonly peakBytes: number; readonly value: T }>
  /** Memory of the page's process now. */
  memoryBytes(): Promise<number>
  close(): Promise<void>
}

/** @param folder of the page, beside this file */
export async function serveBenchPage(outDir: string, folder = 'probe-page'): Promise<BenchSite> {
  const shared = { root: fileURLToPath(new URL(`./${folder}`, import.meta.url)), configFile: false, logLevel: 'error', worker: { format: 'es' }, build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 } } as const
  await build(shared)
  const server = await preview({ ...shared, preview: { port: 0, host: '127.0.0.1' } })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || address === null) throw new Error('the bench page is not served')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

export async function openBenchPage(origin: string): Promise<BenchPage> {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' })
  const page = await browser.newPage()
  await page.goto(origin)
  await page.waitForFunction(() => 'probeBench' in window)
  const pid = await processOf(page, browser)
  return {
    page,
    choose: (path) => page.setInputFiles('#file', path),
    readBytes: () => bytesReadBy(browser),
    processorMs: () => processorMsOf(browser),
    memoryBytes: () => memoryOf(pid, 'now'),
    async peakOf(work) {
      await forgetPeak(pid)
      const before = await memoryOf(pid, 'now')
      const value = await work()
      return { peakBytes: (await memoryOf(pid, 'most')) - before, value }
    },
    close: () => browser.close(),
  }
}

/** Longer than a new process takes to start. */
const SPIN_MS = 700

/** The process of a page: the one that works when the page does. Browsers keep empty ones for pages to come, which grow by themselves. */
async function processOf(page: Page, browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const times = async (): Promise<ReadonlyMap<number, number>> => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate((forMs) => { for (const until = performance.now() + forMs; performance.now() < until;); }, SPIN_MS)
  const grown = Array.from(await times(), ([id, seconds]) => ({ id, by: seconds - (before.get(id) ?? 0) })).toSorted((a, b) => b.by - a.by)
  await devtools.detach()
  const [most] = grown
  if (most === undefined) throw new Error('the page has no process')
  return most.id
}
