import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import { startPartStorage } from '#tests/setup/part-storage.ts'
import { describePartTransport } from '#tests/suites/part-transport.ts'
import type { PartTransport, PutOutcome } from '#src/local/uploads/ports.ts'
import type { PagePut } from '#tests/fixtures/xhr-page/main.ts'

const TEXT = 'the bytes of a part '.repeat(5_000)
const SHA256 = createHash('sha256').update(TEXT).digest('base64')

let browser: Browser
let script: string
beforeAll(async () => {
  browser = await startChromium()
  const entry = fileURLToPath(new URL('../../fixtures/xhr-page/main.ts', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'xhrPage' } },
  })
  const output = Array.isArray(built) ? built[0] : built
  if (output === undefined || !('output' in output)) throw new Error('the page was not built')
  script = output.output[0].code
})
afterAll(() => browser.close())

describePartTransport('XMLHttpRequest', async () => {
  const storage = await startPartStorage((_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><link rel="icon" href="data:,"><title>A page</title>'),
  )
  const page = await browser.newPage()
  const listeners = new Map<number, (sentBytes: number) => void>()
  await page.exposeFunction('reportSent', (call: number, sentBytes: number) =>
    listeners.get(call)?.(sentBytes),
  )
  await page.goto(storage.origin)
  await page.addScriptTag({ content: script })

  let calls = 0
  let parts = 0
  const newCall = (signal: AbortSignal): { readonly call: number; aborted: Promise<void> } => {
    calls += 1
    const call = calls
    const abort = (): Promise<void> =>
      page.evaluate(([id, reason]) => window.xhrPage.abort(id, reason), [
        call,
        String(signal.reason),
      ] as const)
    // The page may be closed by then.
    signal.addEventListener('abort', () => void abort().catch(() => undefined), { once: true })
    return { call, aborted: signal.aborted ? abort() : Promise.resolve() }
  }
  const run = async (
    signal: AbortSignal,
    put: Omit<PagePut, 'call'>,
    onSent: (sentBytes: number) => void,
  ): Promise<PutOutcome> => {
    const { call, aborted } = newCall(signal)
    listeners.set(call, onSent)
    await aborted
    const end = await page.evaluate((asked) => window.xhrPage.put(asked), { ...put, call })
    if (end.kind === 'rejected') throw new DOMException('rejected in the page', end.name)
    return end.outcome
  }
  /** The transport in the page, called from here. */
  const transport: PartTransport = {
    reportsProgress: true,
    isForeign: () => false,
    put: async ({ url, body, sha256, offset, partSizeBytes, signal, onSent }) => {
      const text = await body.text()
      return run(signal, { url, sha256, text, offset, partSizeBytes }, onSent)
    },
    offset: ({ url, sha256, signal }) =>
      run(signal, { url, sha256, text: null, offset: 0, partSizeBytes: 0 }, () => undefined),
  }
  return {
    transport,
    partBytes: TEXT.length,
    newPart: async () => {
      parts += 1
      return { url: `/parts/${parts}?signature=s`, body: new Blob([TEXT]), sha256: SHA256 }
    },
    treat: storage.treat,
    reached: storage.reached,
    isStored: async (url) => storage.has(url),
    holds: async (url) => storage.held(url),
    settle: (work) => work,
    close: async () => {
      await page.close()
      await storage.close()
    },
  }
})
