import { afterEach, expect, test, vi } from 'vitest'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { subscribeLive } from '#src/local/db/live.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Follows the number of drafts with a query that fails as often as it is told. */
async function follow() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const db = await openTestDb()
  const failing = { times: 0 }
  const seen: (number | string)[] = []
  const stop = subscribeLive(
    async () => {
      const count = await db.drafts.count()
      if (failing.times === 0) return count
      failing.times -= 1
      throw new Error('busy')
    },
    { next: (count) => void seen.push(count), error: () => void seen.push('failed') },
  )
  const pass = async (ms: number) => await vi.advanceTimersByTimeAsync(ms)
  /** Dexie asks after a timer of a millisecond; the database answers by `setImmediate`. */
  const seenNow = async () => {
    for (let turns = 0; turns < 20; turns += 1) {
      await pass(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return seen
  }
  return { db, failing, stop, pass, seenNow }
}

test('a query that failed at a change is asked again without another change', async () => {
  const { db, failing, stop, pass, seenNow } = await follow()
  expect(await seenNow()).toEqual([0])
  failing.times = 2
  await db.drafts.put({ key: 'a' } as never)
  expect(await seenNow()).toEqual([0, 'failed'])
  await pass(1000)
  await pass(1900)
  expect(await seenNow()).toEqual([0, 'failed'])
  await pass(100)
  expect(await seenNow()).toEqual([0, 'failed', 1])
  stop()
})

test('a query that failed at first is asked again, and follows changes from then on', async () => {
  const { db, stop, pass, seenNow, failing } = await follow()
  failing.times = 1
  expect(await seenNow()).toEqual(['failed'])
  await pass(1000)
  expect(await seenNow()).toEqual(['failed', 0])
  await db.drafts.put({ key: 'a' } as never)
  expect(await seenNow()).toEqual(['failed', 0, 1])
  stop()
})

test('what was stopped after a failure is not asked again', async () => {
  const { failing, stop, pass, seenNow } = await follow()
  failing.times = 1
  expect(await seenNow()).toEqual(['failed'])
  stop()
  await pass(60_000)
  expect(await seenNow()).toEqual(['failed'])
})
