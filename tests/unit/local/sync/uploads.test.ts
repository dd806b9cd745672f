import { beforeEach, expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeUploadRequest, idOf } from '#tests/fakes/fake-rows.ts'
import { UPLOADS_PAGE_SIZE } from '#spec/numbers.ts'
import { silentLog } from '#src/lib/log.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import type { PageStart } from '#src/local/sync/media-jobs.ts'
import { pullUploadsPage } from '#src/local/sync/uploads.ts'

/** Uploads of the server, newest first; number 1 is the oldest. */
let numbers: readonly number[]
let api: FakeApi
let db: AccountDb
const clock = createFakeClock()

beforeEach(async () => {
  numbers = Array.from({ length: 45 }, (_, index) => 45 - index)
  api = createFakeApi()
  db = await openTestDb()
  api.routes.set('GET /v1/upload-requests', ({ url }) => {
    const { searchParams } = new URL(url)
    const from = Number(searchParams.get('cursor') ?? 0)
    const limit = Number(searchParams.get('limit'))
    const page = numbers.slice(from, from + limit)
    return Response.json({
      uploadRequests: page.map((number) =>
        fakeUploadRequest({
          _id: idOf(number),
          createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
        }),
      ),
      pagination: { nextCursor: from + limit < numbers.length ? String(from + limit) : null },
    })
  })
})

async function pull(start: PageStart | null): Promise<PageStart | null> {
  const answer = await pullUploadsPage(
    {
      api: api.client,
      db,
      deviceDb: await openTestDeviceDb(),
      clock,
      random: () => 0,
      fetch: api.fetch,
      origin: 'http://onecut.test',
      log: silentLog,
    },
    start,
  )
  if (!answer.ok) throw new Error(answer.error.code)
  return answer.value.next
}
const kept = async (): Promise<readonly string[]> =>
  (await readFact(db, FACTS.uploads))?.value.map(({ uploadRequestId }) => uploadRequestId) ?? []

it('UPL-13 older uploads are kept on this device page by page, in their order', async () => {
  const second = await pull(null)
  expect(await kept()).toEqual(numbers.slice(0, UPLOADS_PAGE_SIZE).map(idOf))
  const third = await pull(second)
  expect(await pull(third)).toBeNull()
  expect(await kept()).toEqual(numbers.map(idOf))
})

it('UPL-13 looking at the newest again forgets what is gone among them, and nothing older', async () => {
  const second = await pull(null)
  await pull(second)
  numbers = [46, ...numbers.filter((number) => number !== 44)]
  await pull(null)
  expect(await kept()).toEqual(
    [46, 45, ...Array.from({ length: 38 }, (_, index) => 43 - index)].map(idOf),
  )
})

it('UPL-13 the last page tells what is gone at the end', async () => {
  const third = await pull(await pull(null))
  await pull(third)
  numbers = numbers.slice(0, 42)
  await pull(third)
  expect(await kept()).toEqual(numbers.map(idOf))
})

it('UPL-13 this device keeps which videos were deleted from the server, but of failed ones why they failed', async () => {
  const sourceRemovedAt = '2026-01-02T00:00:00.000Z'
  const older = fakeUploadRequest({ _id: idOf(1), state: 'validated', isValidated: true })
  api.routes.set('GET /v1/upload-requests', () =>
    Response.json({
      uploadRequests: [
        older,
        { ...older, _id: idOf(2), sourceRemovedAt: null },
        { ...older, _id: idOf(3), sourceRemovedAt },
        fakeUploadRequest({ _id: idOf(4), state: 'failed', isFailed: true, sourceRemovedAt }),
      ],
      pagination: { nextCursor: null },
    }),
  )
  await pull(null)
  const deleted = (await readFact(db, FACTS.uploads))?.value.filter(({ isDeleted }) => isDeleted)
  expect(deleted?.map(({ uploadRequestId }) => uploadRequestId)).toEqual([idOf(3)])
})
