import { expect, it } from 'vitest'
import { createFakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { pullLibraryPage } from '#src/local/sync/library.ts'
import { NEWEST_FIRST, type PageStart } from '#src/local/sync/media-jobs.ts'
import { silentLog } from '#src/lib/log.ts'

async function createWorld() {
  const api = createFakeApi()
  const clock = createFakeClock()
  const db = await openTestDb()
  const deps = {
    api: api.client,
    db,
    deviceDb: await openTestDeviceDb(),
    clock,
    random: () => 0,
    fetch: api.fetch,
    origin: 'http://onecut.test',
    log: silentLog,
  }
  const make = (from: number, to: number): void => {
    for (let number = from; number <= to; number += 1) {
      const createdAt = new Date(Date.UTC(2026, 10, 1) + number * 60_000).toISOString()
      api.jobs.set(idOf(number), fakeMediaJob({ _id: idOf(number), createdAt }))
    }
  }
  const pull = async (start: PageStart | null) => {
    await clock.advance(1)
    const page = await pullLibraryPage(deps, NEWEST_FIRST, start)
    if (!page.ok) throw new Error(page.error.code)
    return page.value
  }
  const numbers = async () =>
    (await db.libraryEntries.toArray()).map(({ _id }) => Number.parseInt(_id.slice(-12), 16))
  return { api, db, make, pull, numbers }
}

it('EDT-03 a later visit goes on behind what the device has, without loading it again', async () => {
  const { api, make, pull, numbers } = await createWorld()
  make(1, 45)
  const first = await pull(null)
  await pull((await pull(first.next)).next)
  expect(await numbers()).toHaveLength(30)
  const before = api.requests.length
  const again = await pull(null)
  const older = await pull(again.next)
  expect(api.requests.length - before).toBe(2)
  expect([again.isNews, older.isNews]).toEqual([false, true])
  expect(await numbers()).toHaveLength(40)
  expect((await pull((await pull(null)).next)).next).toBeNull()
  // All of it is here: there is nothing older to load from now on.
  expect((await pull(null)).next).toBeNull()
})

it('LIF-03 jobs that were made elsewhere come without a hole', async () => {
  const { make, pull, numbers } = await createWorld()
  make(1, 25)
  await pull((await pull(null)).next)
  make(26, 60)
  const page = await pull(null)
  expect((await numbers()).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 55 }, (_, index) => index + 6),
  )
  expect([page.ids.length, page.allIds.length]).toEqual([10, 40])
  expect((await pull(page.next)).next).toBeNull()
})
