import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import type {} from './probe-page/main.ts'

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

export async function serveBenchPage(outDir: string): Promise<BenchSite> {
  const shared = { root: fileURLToPath(new URL('./probe-page', import.meta.url)), configFile: false, logLevel: 'error', worker: { format: 'es' }, build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 } } as const
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
  const memoryBytes = async (): Promise<number> => sum(await Promise.all((await processes(browser, 'renderer')).map((pid) => statusOf(pid, 'VmRSS'))))
  return {
    page,
    choose: (path) => page.setInputFiles('#file', path),
    readBytes: async () => sum(await Promise.all((await processes(browser, null)).map(charsReadBy))),
    memoryBytes,
    async peakOf(work) {
      const pids = await processes(browser, 'renderer')
      // Forgets the highest size so far (Linux, proc(5) on clear_refs).
      await Promise.all(pids.map((pid) => writeFile(`/proc/${pid}/clear_refs`, '5')))
      const before = await Promise.all(pids.map((pid) => statusOf(pid, 'VmRSS')))
      const value = await work()
      const peaks = await Promise.all(pids.map((pid) => statusOf(pid, 'VmHWM')))
      return { peakBytes: Math.max(...peaks.map((peak, index) => peak - (before[index] ?? 0))), value }
    },
    close: () => browser.close(),
  }
}

async function processes(browser: Browser, type: 'renderer' | null): Promise<readonly number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.filter((each) => type === null || each.type === type).map(({ id }) => id)
}

async function statusOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024
}

async function charsReadBy(pid: number): Promise<number> {
  return Number(/^rchar: (\d+)/m.exec(await readFile(`/proc/${pid}/io`, 'utf8').catch(() => ''))?.[1] ?? 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}
