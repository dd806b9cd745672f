import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, fakeOrder, idOf } from '#tests/fakes/fake-rows.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import {
  NEWEST_FIRST,
  pullMediaJob,
  pullMediaJobsPage,
  type MediaJobsQuery,
  type PageStart,
} from '#src/local/sync/media-jobs.ts'
import { saveJobThumbnails, jobThumbnailKey } from '#src/local/sync/images.ts'
import type { PullDeps } from '#src/local/sync/pull.ts'
import { silentLog } from '#src/lib/log.ts'
import { runs } from '#tests/seeds.ts'

interface World {
  readonly api: FakeApi
  readonly deps: PullDeps
}

async function createWorld(jobs: readonly ReturnType<typeof fakeMediaJob>[] = []): Promise<World> {
  const api = createFakeApi()
  for (const job of jobs) api.jobs.set(job._id, job)
  const clock = createFakeClock()
  const db = await openTestDb()
  return {
    api,
    deps: {
      api: api.client,
      db,
      deviceDb: await openTestDeviceDb(),
      clock,
      random: () => 0,
      fetch: api.fetch,
      origin: 'http://onecut.test',
      log: silentLog,
    },
  }
}

async function pullAll(deps: PullDeps, query: MediaJobsQuery, limit: number): Promise<number> {
  let start: PageStart | null = null
  for (let count = 0; ;) {
    const page: Awaited<ReturnType<typeof pullMediaJobsPage>> = await pullMediaJobsPage(
      deps,
      query,
      start,
      limit,
    )
    if (!page.ok) throw new Error(page.error.code)
    count += page.value.ids.length
    if (page.value.next === null) return count
    start = page.value.next
  }
}

/** Counts the rows of `mediaJobs` that leave the database from now on. */
async function countRowsRead(db: PullDeps['db']): Promise<() => number> {
  let count = 0
  db.close({ disableAutoOpen: false })
  db.use({
    stack: 'dbcore',
    name: 'count-rows-read',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name)
        if (name !== 'mediaJobs') return table
        return {
          ...table,
          get: (request) => table.get(request).then((row) => ((count += 1), row)),
          getMany: (request) =>
            table.getMany(request).then((rows) => ((count += rows.length), rows)),
          query: (request) =>
            table.query(request).then((found) => ((count += found.result.length), found)),
          openCursor: (request) =>
            table.openCursor(request).then((cursor) => {
              if (cursor === null) return null
              const start = cursor.start.bind(cursor)
              return Object.create(cursor, {
                start: {
                  value: (onNext: () => void) => start(() => ((count += 1), onNext())),
                },
              }) as typeof cursor
            }),
        }
      },
    }),
  })
  await db.open()
  return () => count
}

// Few days and names, so that ties are common.
const job = fc.record({
  day: fc.integer({ min: 10, max: 13 }),
  name: fc.constantFrom('Beach', 'beach 2', 'Attic', 'zoo'),
})
const jobs = fc
  .array(job, { maxLength: 24 })
  .map((list) =>
    list.map(({ day, name }, index) =>
      fakeMediaJob({ _id: idOf(100 + index), name, createdAt: `2026-11-${day}T00:00:00.000Z` }),
    ),
  )
const query = fc.record<MediaJobsQuery>({
  name: fc.constantFrom('', 'each', 'nowhere'),
  sortBy: fc.constantFrom('createdAt', 'name'),
  sortDirection: fc.constantFrom('asc', 'desc'),
})

it('EDT-02 pages concatenate to the full list, without repeats, in the order the server gives', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, query, fc.integer({ min: 1, max: 7 }), async (list, wanted, limit) => {
      const { deps } = await createWorld(list)
      const expected = list.filter((item) => item.name.toLowerCase().includes(wanted.name))
      expect(await pullAll(deps, wanted, limit)).toBe(expected.length)
      const shown = await deps.db.libraryEntries.toArray()
      expect(shown.map((row) => row._id).sort()).toEqual(expected.map((item) => item._id).sort())
      deps.db.close()
    }),
    { numRuns: runs(40) },
  )
})

it('EDT-02 after pulling, this device lists exactly what the server lists, whatever was removed or made meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      jobs,
      fc.array(fc.nat(23)),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('asc', 'desc'),
      async (list, gone, limit, sortDirection) => {
        const { api, deps } = await createWorld(list)
        await pullAll(deps, NEWEST_FIRST, 5)
        for (const index of gone) api.jobs.delete(idOf(100 + index))
        api.jobs.set(
          idOf(999),
          fakeMediaJob({ _id: idOf(999), createdAt: '2026-11-12T00:00:00.000Z' }),
        )
        await (deps.clock as ReturnType<typeof createFakeClock>).advance(1)
        await pullAll(deps, { ...NEWEST_FIRST, sortDirection }, limit)
        expect((await deps.db.mediaJobs.toArray()).map((row) => row._id).sort()).toEqual(
          [...api.jobs.keys()].sort(),
        )
        deps.db.close()
      },
    ),
    { numRuns: runs(40) },
  )
})

it('a pull reads as many rows as it brings, however many jobs this device has', async () => {
  const { api, deps } = await createWorld()
  const many = Array.from({ length: 2_000 }, (_, index) =>
    fakeMediaJob({
      _id: idOf(10_000 + index),
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      thumbnailUrl: null,
    }),
  )
  for (const each of many) api.jobs.set(each._id, each)
  await deps.db.mediaJobs.bulkPut(many.map((each) => mediaJobToRow(each, 0)))
  const read = await countRowsRead(deps.db)
  const first = await pullMediaJobsPage(deps, NEWEST_FIRST, null)
  if (!first.ok) throw new Error(first.error.code)
  const second = await pullMediaJobsPage(deps, NEWEST_FIRST, first.value.next)
  if (!second.ok) throw new Error(second.error.code)
  await saveJobThumbnails(deps, second.value.ids)
  expect(second.value.ids).toEqual(
    many
      .toReversed()
      .slice(10, 20)
      .map((each) => each._id),
  )
  // Two pages of ten: what lies in their stretch (the second with the first one's last), what is
  // replaced, what the library's entries are made of, and the pictures' rows.
  expect(read()).toBeLessThanOrEqual(80)
})

it('a page removes only what lies within its own stretch', async () => {
  const list = [14, 13, 12, 11].map((day) =>
    fakeMediaJob({ _id: idOf(day), createdAt: `2026-11-${day}T00:00:00.000Z` }),
  )
  const { api, deps } = await createWorld(list)
  await pullAll(deps, NEWEST_FIRST, 10)
  api.jobs.delete(idOf(13))
  api.jobs.delete(idOf(11))
  await (deps.clock as ReturnType<typeof createFakeClock>).advance(1)
  await pullMediaJobsPage(deps, NEWEST_FIRST, null, 1)
  expect((await deps.db.mediaJobs.toArray()).map((row) => row._id)).toEqual(
    [11, 12, 13, 14].map(idOf),
  )
  await pullMediaJobsPage(deps, { ...NEWEST_FIRST, name: 'nothing' }, null, 1)
  expect(await deps.db.mediaJobs.count()).toBe(4)
})

it('an answer that was overtaken by a younger one changes nothing', async () => {
  const { api, deps } = await createWorld([fakeMediaJob({ progressRatio: 0.2 })])
  const younger = deps.clock.now() + 1
  await deps.db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ progressRatio: 0.9 }), younger))
  await deps.db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ _id: idOf(50) }), younger))
  await pullMediaJobsPage(deps, NEWEST_FIRST, null)
  expect(api.requests).toHaveLength(1)
  expect((await deps.db.mediaJobs.get(idOf(1)))?.value.progressRatio).toBe(0.9)
  expect(await deps.db.mediaJobs.get(idOf(50))).toBeDefined()
})

it('a job that is gone takes its orders and picture along, and the caller still learns of the 404', async () => {
  const { deps } = await createWorld()
  await deps.db.mediaJobs.put(mediaJobToRow(fakeMediaJob(), 1))
  await deps.db.orders.put(orderToRow(fakeOrder(), 1))
  await deps.db.images.put({
    key: jobThumbnailKey(idOf(1)),
    blob: new Blob(['x']),
    savedAtEpochMs: 1,
  })
  expect(await pullMediaJob(deps, idOf(1))).toMatchObject({ ok: false, error: { status: 404 } })
  expect([
    await deps.db.mediaJobs.count(),
    await deps.db.orders.count(),
    await deps.db.images.count(),
  ]).toEqual([0, 0, 0])
})

it('pictures are saved once, and only pictures', async () => {
  const { api, deps } = await createWorld()
  const path = (id: number): string => `/editors/api/v1/media-jobs/${idOf(id)}/thumbnail`
  await deps.db.mediaJobs.bulkPut(
    [1, 2].map((id) => mediaJobToRow(fakeMediaJob({ _id: idOf(id), thumbnailUrl: path(id) }), 1)),
  )
  api.routes.set(
    `GET /v1/media-jobs/${idOf(1)}/thumbnail`,
    () => new Response(new Uint8Array(9), { headers: { 'Content-Type': 'image/webp' } }),
  )
  api.routes.set(
    `GET /v1/media-jobs/${idOf(2)}/thumbnail`,
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  )
  await saveJobThumbnails(deps, [1, 2, 3].map(idOf))
  await saveJobThumbnails(deps, [1, 2, 3].map(idOf))
  expect(await deps.db.images.toCollection().primaryKeys()).toEqual([jobThumbnailKey(idOf(1))])
  expect(api.requests.filter((request) => request.line.includes(idOf(1)))).toHaveLength(1)
})
