import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startServiceWorker } from '#src/bridge/service-worker-bridge.ts'

const EVENTS = { onReadyOffline: vi.fn(), onWaiting: vi.fn(), onReplaced: vi.fn() }
const register = vi.fn()

beforeEach(() => {
  register.mockReset()
  register.mockResolvedValue(new EventTarget())
  vi.stubGlobal('document', { readyState: 'complete' })
  vi.stubGlobal('location', { href: 'http://localhost/' })
  vi.stubGlobal('self', globalThis)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the first visit installs the app once its first screen stands', async () => {
  visit(null)
  const firstScreen = Promise.withResolvers<void>()
  const started = startServiceWorker('/sw.js', EVENTS, firstScreen.promise)
  await Promise.resolve()
  expect(register).not.toHaveBeenCalled()
  firstScreen.resolve()
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

function visit(controller: object | null): void {
  const serviceWorker = Object.assign(new EventTarget(), { controller, register })
  vi.stubGlobal('navigator', { serviceWorker })
}
