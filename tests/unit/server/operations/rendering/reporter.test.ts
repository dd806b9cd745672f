import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reporter } from '#server/operations/processing/rendering/reporter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('SCL-04 says how far an edit is also while nothing moves, so that it hears that it is over, and no more after its end', async () => {
  const sent: number[] = []
  const report = reporter(
    async (ratio) => void sent.push(ratio),
    () => undefined,
    0.5,
  )
  await vi.advanceTimersByTimeAsync(4_500)
  report(0.7)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent, 'it never goes back').toEqual([0.5, 0.5, 0.7, 0.7])
  await report.settled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(4)
})

it('says it no more often where much moves', async () => {
  const send = vi.fn(async () => undefined)
  const report = reporter(send, () => undefined)
  for (let ms = 0; ms < 10_000; ms += 100) {
    report(ms / 10_000)
    await vi.advanceTimersByTimeAsync(100)
  }
  await report.settled()
  expect(send).toHaveBeenCalledTimes(20)
})
