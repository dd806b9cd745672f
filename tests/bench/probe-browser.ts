import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import type {} from './probe-page/main.ts'
import {
  bytesReadBy,
  forgetPeak,
  memoryOf,
  processesOf,
  processorMsOf,
} from '#tests/setup/browser-processes.ts'

/** The bench page as built files on a server of its own. */
export interface BenchSite {
  readonly origin: string
  close(): Promise<void>
}

/** A Chromium with one page of the site; fresh, so nothing is in its caches. */
export interface BenchPage {
  readonly page: Page
  choose(path: string): Promise<void>
  /**
   * Bytes that all processes of this browser have read from files, the browser's own files
   * included.
   */
  readBytes(): Promise<number>
  /** Processor time that all processes of this browser have used. */
  processorMs(): Promise<number>
  /**
   * The growth of the page's process in bytes, at its peak and after `release`. The page's process
   * is the one that `work` makes grow most.
   */
  memoryUntilReleased(
    work: () => Promise<unknown>,
    release: () => Promise<void>,
  ): Promise<{ readonly peakBytes: number; readonly leftBytes: number }>
  close(): Promise<void>
}

/** @param folder of the page, beside this file */
export async function serveBenchPage(outDir: string, folder = 'probe-page'): Promise<BenchSite> {
  const shared = {
    root: fileURLToPath(new URL(`./${folder}`, import.meta.url)),
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
  } as const
  await build(shared)
  const server = await preview({ ...shared, preview: { port: 0, host: '127.0.0.1' } })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || address === null)
    throw new Error('the bench page is not served')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

export async function openBenchPage(origin: string): Promise<BenchPage> {
  // Without the spare process for future pages, which grows on its own.
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--disable-features=SpareRendererForSitePerProcess'],
  })
  const page = await browser.newPage()
  await page.goto(origin)
  await page.waitForFunction(() => 'probeBench' in window)
  return {
    page,
    choose: (path) => page.setInputFiles('#file', path),
    readBytes: () => bytesReadBy(browser),
    processorMs: () => processorMsOf(browser),
    async memoryUntilReleased(work, release) {
      const pids = await processesOf(browser, 'renderer')
      await Promise.all(pids.map(forgetPeak))
      const before = await Promise.all(pids.map((pid) => memoryOf(pid, 'now')))
      await work()
      const peaks = (await Promise.all(pids.map((pid) => memoryOf(pid, 'most')))).map(
        (peak, index) => peak - (before[index] ?? 0),
      )
      await release()
      const page = peaks.indexOf(Math.max(...peaks))
      return {
        peakBytes: peaks[page] ?? 0,
        leftBytes: (await memoryOf(pids[page] ?? 0, 'now')) - (before[page] ?? 0),
      }
    },
    close: () => browser.close(),
  }
}
