import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const ORIGIN = 'https://onecut.test'
const SHELL = 'the page of the app'
const listeners = new Map<string, ((event: unknown) => void)[]>()

/** As in a worker, where addresses are of its origin. */
class RequestOfOrigin extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, ORIGIN) : input, init)
  }
}

class FetchEvent {
  readonly type = 'fetch'
  readonly request: Request
  answer: Promise<Response> | null = null
  constructor(request: Request) {
    this.request = request
  }
  respondWith(answer: Promise<Response>): void {
    this.answer = answer
  }
  waitUntil(): void {
    // The worker of the test never ends.
  }
}

/** Loads the service worker's routes into a worker whose cache holds what was installed. */
beforeAll(async () => {
  const cache = {
    match: () => Promise.resolve(new Response(SHELL)),
    keys: () => Promise.resolve([]),
  }
  // Read from `self`, and set there unless it is global.
  vi.stubGlobal('__WB_DISABLE_DEV_LOGS', true)
  vi.stubGlobal('self', {
    __WB_DISABLE_DEV_LOGS: true,
    ...globalThis,
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    registration: { scope: `${ORIGIN}/` },
    location: new URL(`${ORIGIN}/service-worker.js`),
    caches: { open: () => Promise.resolve(cache) },
  })
  vi.stubGlobal('ExtendableEvent', FetchEvent)
  vi.stubGlobal('FetchEvent', FetchEvent)
  vi.stubGlobal('Request', RequestOfOrigin)
  vi.stubGlobal('location', new URL(`${ORIGIN}/service-worker.js`))
  vi.stubGlobal('registration', { scope: `${ORIGIN}/` })
  vi.stubGlobal('caches', {
    open: () => Promise.resolve(cache),
    match: cache.match,
    keys: () => Promise.resolve([]),
  })
  const { serveApp } = await import('#workers/service/app-shell.ts')
  serveApp([{ url: 'index.html', revision: '1' }])
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** What the worker answers, or null where it leaves the request to the network. */
async function answerOf(path: string, mode: 'navigate' | 'cors'): Promise<string | null> {
  // Only a browser may make a request that navigates.
  const request = Object.defineProperty(new Request(ORIGIN + path), 'mode', { value: mode })
  const event = new FetchEvent(request)
  for (const listen of listeners.get('fetch') ?? []) listen(event)
  const response = await event.answer
  return response === null ? null : await response.text()
}

it('MIS-01 answers a visit to a page of the app from the cache, and leaves the rest to the network', async () => {
  expect(await answerOf('/edits', 'navigate')).toBe(SHELL)
  expect(await answerOf('/editors/api/v1/auth/magic-link/callback', 'navigate')).toBeNull()
  expect(await answerOf('/edits', 'cors')).toBeNull()
})
