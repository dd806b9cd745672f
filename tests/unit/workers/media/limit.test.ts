import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withLimit } from '#workers/media/limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forever = new Promise<never>(() => undefined)
const calm = new AbortController().signal

it('gives what the work gives', async () => {
  expect(await withLimit(Promise.resolve(1), 100, calm)).toBe(1)
  await expect(withLimit(Promise.reject(new Error('broken')), 100, calm)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('rejects at the limit', async () => {
  const waited = expect(withLimit(forever, 100, calm)).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await vi.advanceTimersByTimeAsync(100)
  await waited
})

it('rejects at the abort, also when it was before', async () => {
  const controller = new AbortController()
  const waited = expect(withLimit(forever, 100, controller.signal)).rejects.toMatchObject({
    name: 'AbortError',
  })
  controller.abort()
  await waited
  await expect(withLimit(forever, 100, controller.signal)).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(vi.getTimerCount()).toBe(0)
})
