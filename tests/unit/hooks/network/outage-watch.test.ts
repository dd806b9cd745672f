import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { ApiFailure } from '#src/api/errors.ts'
import { presentOutage, watchOutages } from '#src/hooks/network/outage-watch.ts'
import { CallFailed, createQueryClient } from '#src/hooks/sync/query-client.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'

const PORTAL: ApiFailure = { code: 'api/foreign', status: 200, looksLikePortal: true }
const REFUSAL: ApiFailure = {
  code: 'api/http',
  status: 500,
  serverCode: 'system/unexpected',
  serverMessage: 'No.',
  fields: null,
  retryAfterMs: null,
}
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The watch over a page, and how long it slept each time. */
function createWorld() {
  const queries = createQueryClient()
  const clock = createFakeClock()
  const sleeps: number[] = []
  const listeners = new Set<() => void>()
  const page = { isReachable: false, isVisible: true, checks: 0 }
  const end = watchOutages({
    queries,
    clock: {
      now: clock.now,
      sleep: (delayMs, signal) => {
        sleeps.push(delayMs)
        return clock.sleep(delayMs, signal)
      },
    },
    isVisible: () => page.isVisible,
    onAttention: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isAnswered: () => {
      page.checks += 1
      return Promise.resolve(page.isReachable)
    },
  })
  ends.push(end, () => queries.clear())
  /** Shows a pull on the page; resolves after its first end. */
  const show = async (name: string, endOf: () => ApiFailure | null) => {
    const pull = vi.fn(() => {
      const failure = endOf()
      return failure === null ? Promise.resolve(null) : Promise.reject(new CallFailed(failure))
    })
    const observer = new QueryObserver(queries, { queryKey: [name], queryFn: pull })
    ends.push(observer.subscribe(() => undefined))
    await expect.poll(() => observer.getCurrentResult().isFetching).toBe(false)
    return pull
  }
  const asleep = (times: number) => expect.poll(() => sleeps).toHaveLength(times)
  const attract = () => {
    for (const listener of listeners) listener()
  }
  return { queries, clock, page, sleeps, listeners, show, asleep, attract, end }
}

it('SAF-07 what a portal kept from a screen is pulled within 2 s of its end', async () => {
  const { queries, clock, page, show, asleep } = createWorld()
  const pull = await show('edits', () => (page.isReachable ? null : PORTAL))
  await asleep(1)
  await clock.advance(2000)
  await asleep(2)
  expect([page.checks, pull.mock.calls.length]).toEqual([1, 1])
  page.isReachable = true
  await clock.advance(2000)
  await expect.poll(() => presentOutage(queries)).toBeNull()
  expect([page.checks, pull.mock.calls.length]).toEqual([2, 2])
})

it('a refusal of the server is no outage, and is not asked for again', async () => {
  const { queries, clock, page, show, asleep } = createWorld()
  const refused = await show('wallets', () => REFUSAL)
  expect(presentOutage(queries)).toBeNull()
  await show('edits', () => (page.isReachable ? null : PORTAL))
  await asleep(1)
  page.isReachable = true
  await clock.advance(2000)
  await expect.poll(() => presentOutage(queries)).toBeNull()
  expect(refused).toHaveBeenCalledOnce()
})

it('a pull that is kept from a server that answers is tried more and more rarely', async () => {
  const { clock, page, sleeps, show, asleep } = createWorld()
  page.isReachable = true
  await show('edits', () => PORTAL)
  for (const count of [1, 2, 3, 4, 5, 6, 7]) {
    await asleep(count)
    await clock.advance(60_000)
  }
  await asleep(8)
  expect(sleeps).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

it('a hidden page checks nothing, and one that is looked at again checks at once', async () => {
  const { clock, page, show, asleep, attract } = createWorld()
  page.isVisible = false
  await show('edits', () => PORTAL)
  await asleep(1)
  await clock.advance(2000)
  await asleep(2)
  expect(page.checks).toBe(0)
  page.isVisible = true
  attract()
  await expect.poll(() => page.checks).toBe(1)
})

it('a portal is named before other outages, since a person can end it', async () => {
  const { queries, show } = createWorld()
  await show('wallets', () => ({ code: 'api/timeout' }))
  expect(presentOutage(queries)).toBe('no-answer')
  await show('edits', () => PORTAL)
  expect(presentOutage(queries)).toBe('portal')
})

it('nothing is left running after the end', async () => {
  const { clock, page, listeners, show, asleep, end } = createWorld()
  await show('edits', () => PORTAL)
  await asleep(1)
  end()
  await expect.poll(() => listeners.size).toBe(0)
  await clock.advance(10_000)
  expect(page.checks).toBe(0)
})
