import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startServiceWorker } from '#src/bridge/service-worker-bridge.ts'

const EVENTS = { onReadyOffline: vi.fn(), onWaiting: vi.fn(), onReplaced: vi.fn() }
const register = vi.fn()

beforeEach(() => {
  register.mockReset()
  EVENTS.onWaiting.mockReset()
  register.mockResolvedValue(new EventTarget())
  vi.stubGlobal('document', { readyState: 'complete' })
  vi.stubGlobal('location', { href: 'http://localhost/' })
  vi.stubGlobal('self', globalThis)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the first visit installs the app once the page lets it', async () => {
  visit(null)
  const mayInstall = Promise.withResolvers<void>()
  const started = startServiceWorker('/sw.js', EVENTS, mayInstall.promise)
  await Promise.resolve()
  expect(register).not.toHaveBeenCalled()
  mayInstall.resolve()
  expect(await started).not.toBeNull()
  expect(register).toHaveBeenCalledWith('/sw.js', { scope: '/' })
})

test('a later visit asks for a new version at once', async () => {
  visit(
    Object.assign(new EventTarget(), { scriptURL: 'http://localhost/sw.js', postMessage: vi.fn() }),
  )
  const never = Promise.withResolvers<void>()
  expect(await startServiceWorker('/sw.js', EVENTS, never.promise)).not.toBeNull()
  expect(register).toHaveBeenCalledWith('/sw.js', { scope: '/' })
})

test('the first version ever is no new version while it waits to be activated', async () => {
  await seeWaiting(null)
  expect(EVENTS.onWaiting).not.toHaveBeenCalled()
})

test('a version that waits beside the active one is new, also on a page without a controller', async () => {
  await seeWaiting(worker())
  expect(EVENTS.onWaiting).toHaveBeenCalledOnce()
})

test('an installed app asks to be woken for new edits, and a browser that refuses stops nothing', async () => {
  const sync = { register: vi.fn().mockRejectedValue(new DOMException('', 'NotAllowedError')) }
  visit(null, { periodicSync: sync })
  expect(await startServiceWorker('/sw.js', EVENTS, Promise.resolve())).not.toBeNull()
  await vi.waitFor(() =>
    expect(sync.register).toHaveBeenCalledWith('onecut-library', { minInterval: 43_200_000 }),
  )
})

/** A visit whose registration has a waiting version already. */
async function seeWaiting(active: object | null): Promise<void> {
  register.mockResolvedValue(Object.assign(new EventTarget(), { active, waiting: worker() }))
  visit(null)
  await startServiceWorker('/sw.js', EVENTS, Promise.resolve())
  // What workbox and the bridge do in microtasks has happened by the next task.
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function worker(): object {
  return Object.assign(new EventTarget(), { scriptURL: 'http://localhost/sw.js' })
}

/** @param active what the registration is once a worker of it is active */
function visit(controller: object | null, active: object = {}): void {
  const getRegistration = (): unknown => register.mock.results[0]?.value
  const ready = Promise.resolve(active)
  const parts = { controller, register, getRegistration, ready }
  const serviceWorker = Object.assign(new EventTarget(), parts)
  vi.stubGlobal('navigator', { serviceWorker })
}
