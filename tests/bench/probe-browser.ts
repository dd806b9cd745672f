import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import type {} from './probe-page/main.ts'
import { bytesReadBy, forgetPeak, memoryOf, pageMemoryOf, processesOf } from '#tests/setup/browser-processes.ts'

/** The bench page as built files on a server of its own. */
export interface BenchSite { readonly origin: string; close(): Promise<void> }

/** A Chromium with one page of the site; fresh, so nothing is in its caches. */
export interface BenchPage {
  readonly page: Page
  choose(path: string): Promise<void>
  /** Bytes that all processes of this browser read from files so far; what the browser reads for itself counts as well. */
  readBytes(): Promise<number>
  /** Runs `work` and gives the largest growth of a page process over its size before, in bytes, and the work's answer. */
  peakOf<T>(work: () => Promise<T>): Promise<{ readonly peakBytes: number; readonly value: T }>
  /** Memory of the page processes now. */
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
  return {
    page,
    choose: (path) => page.setInputFiles('#file', path),
    readBytes: () => bytesReadBy(browser),
    memoryBytes: () => pageMemoryOf(browser),
    async peakOf(work) {
      const pids = await processesOf(browser, 'renderer')
      await Promise.all(pids.map(forgetPeak))
      const before = await Promise.all(pids.map((pid) => memoryOf(pid, 'now')))
      const value = await work()
      const peaks = await Promise.all(pids.map((pid) => memoryOf(pid, 'most')))
      return { peakBytes: Math.max(...peaks.map((peak, index) => peak - (before[index] ?? 0))), value }
    },
    close: () => browser.close(),
  }
}
