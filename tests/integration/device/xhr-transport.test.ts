import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import { startPartStorage } from '#tests/setup/part-storage.ts'
import { describePartTransport } from '#tests/suites/part-transport.ts'
import type { PartTransport } from '#src/local/uploads/ports.ts'
import type {} from '#tests/fixtures/xhr-page/main.ts'

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
    signal.addEventListener('abort', () => void abort(), { once: true })
    return { call, aborted: signal.aborted ? abort() : Promise.resolve() }
  }
  /** The transport in the page, called from here. */
  const transport: PartTransport = {
    reportsProgress: true,
    isForeign: () => false,
    put: async ({ url, body, sha256, signal, onSent }) => {
      const { call, aborted } = newCall(signal)
      listeners.set(call, onSent)
      await aborted
      const end = await page.evaluate((put) => window.xhrPage.put(put), {
        call,
        url,
        sha256,
        text: await body.text(),
      })
      if (end.kind === 'rejected') throw new DOMException('rejected in the page', end.name)
      return end.outcome
    },
    checkStorage: async (url, signal) => {
      const { call, aborted } = newCall(signal)
      await aborted
      return await page.evaluate(([id, address]) => window.xhrPage.checkStorage(id, address), [
        call,
        url,
      ] as const)
    },
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
    goAway: storage.goAway,
    settle: (work) => work,
    close: async () => {
      await page.close()
      await storage.close()
    },
  }
})
