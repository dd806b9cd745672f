import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { build } from 'vite'
import type { components } from '#openapi/schema.gen.ts'
import { peakMb, rendererPids } from './memory.ts'
import type { FaultWorld } from '#tests/faults/fault-world.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, installApp, signInContext } from '#tests/faults/upload-page.ts'
import { processorMsOf } from '#tests/setup/browser-processes.ts'

/**
 * `first`: the app at a first visit, with no service worker yet. `installed`: the app as a later
 * visit has it.
 */
const APPS = ['first', 'installed'] as const
const OTHERS = ['bare', 'hashing', 'uppy'] as const
export type AppName = (typeof APPS)[number]
export type SenderName = AppName | (typeof OTHERS)[number]
export const SENDERS: readonly SenderName[] = [...APPS, ...OTHERS]

/** Whether the app sends, and not what it is compared with. */
export function isApp(sender: SenderName): sender is AppName {
  return (APPS as readonly SenderName[]).includes(sender)
}

/** One measured upload. */
export interface Run {
  readonly seconds: number
  /**
   * Processor time of the whole browser from the choice of the file to the server's verdict: what
   * the app's own page and checks cost is in it.
   */
  readonly browserSeconds: number
  /** Longest task of the page's main thread while sending, and memory of its heap after it. */
  readonly longestTaskMs: number
  readonly heapMb: number
  /**
   * Most memory (resident set, MB) that the page's process took, workers included; null where the
   * system does not tell.
   */
  readonly peakMb: number | null
}

/** A file, and SHA-256 of its parts where the store wants them before it takes any. */
interface SentFile extends TestFile {
  readonly checksums: readonly string[]
}

type UploadRequest = components['schemas']['UploadRequest']
const CHECK_MS = 120_000

/** The page code of the other senders as one script. */
export async function bundlePageSenders(): Promise<string> {
  const entry = fileURLToPath(new URL('./page-senders.ts', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'benchPage' } },
  })
  const output = Array.isArray(built) ? built[0] : built
  if (output === undefined || !('output' in output)) throw new Error('the senders were not built')
  return output.output[0].code
}

/**
 * Sends the file once in a browser context of its own. The time is the server's: from the creation
 * of the upload to its completion, so that every sender is measured by the same clock and whatever
 * it does in between counts.
 */
export async function runSender(
  world: FaultWorld,
  browser: Browser,
  origin: string,
  device: string,
  sender: SenderName,
  pageScript: string,
  file: SentFile,
): Promise<Run> {
  const others = await rendererPids(browser)
  const context = await browser.newContext({ bypassCSP: !isApp(sender) })
  try {
    await signInContext(context, world.client, device)
    if (sender === 'installed') await installApp(context, origin)
    const page = await context.newPage()
    await page.addInitScript(() => {
      const seen = window as unknown as { longestTaskMs: number }
      seen.longestTaskMs = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          seen.longestTaskMs = Math.max(seen.longestTaskMs, duration)
      }).observe({ entryTypes: ['longtask'] })
    })
    let fromMs = 0
    const begin = async (): Promise<void> => {
      await page.evaluate(() => {
        ;(window as unknown as { longestTaskMs: number }).longestTaskMs = 0
      })
      fromMs = await processorMsOf(browser)
    }
    const id = isApp(sender)
      ? await sendByApp(page, origin, file, begin)
      : await sendByScript(page, origin, sender, pageScript, file, begin)
    const upload = await untilChecked(world, id)
    const browserSeconds = ((await processorMsOf(browser)) - fromMs) / 1_000
    const longestTaskMs = await page.evaluate(
      () => (window as unknown as { longestTaskMs: number }).longestTaskMs,
    )
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
    return {
      seconds: (Date.parse(upload.uploadEndedAt ?? '') - Date.parse(upload.createdAt)) / 1_000,
      browserSeconds,
      longestTaskMs,
      heapMb: heapBytes / 1_000_000,
      peakMb: await peakMb((await rendererPids(browser)).filter((pid) => !others.includes(pid))),
    }
  } finally {
    await context.close()
  }
}

async function sendByApp(
  page: Page,
  origin: string,
  file: TestFile,
  begin: () => Promise<void>,
): Promise<string> {
  return beginUpload(page, origin, async (ready) => {
    await begin()
    await chooseByInput(file.path)(ready)
  })
}

async function sendByScript(
  page: Page,
  origin: string,
  sender: Exclude<SenderName, AppName>,
  pageScript: string,
  file: SentFile,
  begin: () => Promise<void>,
): Promise<string> {
  // A page of the same origin without the app in it.
  await page.goto(`${origin}/editors/ready`)
  await page.setContent('<input type="file">')
  await page.evaluate(pageScript)
  await page.locator('input').setInputFiles(file.path)
  await begin()
  const sent = { name: sender, checksums: file.checksums }
  return page.evaluate(async ({ name, checksums }) => {
    const chosen = document.querySelector('input')?.files?.[0]
    if (chosen === undefined) throw new Error('no file')
    return window.benchSenders[name](chosen, checksums)
  }, sent)
}

/**
 * Waits until the server has looked at the file, so that its work does not disturb the next run.
 */
async function untilChecked(world: FaultWorld, id: string): Promise<UploadRequest> {
  for (const untilMs = Date.now() + CHECK_MS; Date.now() < untilMs;) {
    const { uploadRequest } = (
      await world.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)
    ).body
    if (uploadRequest.state === 'validated') return uploadRequest
    if (uploadRequest.state === 'failed' || uploadRequest.state === 'aborted')
      throw new Error(`the upload ended as ${uploadRequest.state}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('the upload was not finished in time')
}
