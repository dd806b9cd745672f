import { afterEach, expect, it, vi } from 'vitest'
import { createBackgroundGetter } from '#src/bridge/background-getter.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('PHO-08: a browser that does not end a download in time does not hold off what comes after', async () => {
  vi.useFakeTimers()
  const asked: string[] = []
  const running = (id: string) => ({
    id,
    result: '',
    abort: () => {
      asked.push(id)
      return new Promise(() => undefined)
    },
  })
  const backgroundFetch = {
    fetch: () => Promise.reject(new TypeError('not here')),
    get: async (id: string) => running(id),
    getIds: async () => ['others', 'own:1'],
  }
  const getRegistration = async () => ({ active: {}, backgroundFetch })
  vi.stubGlobal('BackgroundFetchManager', class {})
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration } })
  let hasEnded = false
  const ending = createBackgroundGetter()
    ?.end('own:')
    .then(() => {
      hasEnded = true
    })
  await vi.advanceTimersByTimeAsync(4_900)
  expect([asked, hasEnded]).toEqual([['own:1'], false])
  await vi.advanceTimersByTimeAsync(100)
  expect(hasEnded).toBe(true)
  await ending
})
