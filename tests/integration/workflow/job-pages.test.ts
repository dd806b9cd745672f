import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { v7 } from 'uuid'
import { mediaJobs } from '#server/db/schema.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { runs } from '#tests/seeds.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import type { MediaJob } from '#tests/setup/order.ts'

interface Page {
  readonly mediaJobs: MediaJob[]
  readonly pagination: { readonly nextCursor: string | null }
}
let server: TestServer
let me: SignedUp
const names = [
  'alpha',
  'Alpha',
  'beta',
  'Beta 100%',
  'beta_2',
  'gamma',
  'gamma',
  'Ünique',
  'çedille',
  'a\\b',
  'alpha 2',
  'Zoo',
  'zoo',
]

beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
  const { uploadId } = await storeJob(server.deps, (await server.signUp()).userId, ['still-pack'])
  // Several have the same time and the same name: only the id tells them apart.
  const start = Date.parse('2026-11-01T00:00:00Z')
  await server.deps.db.insert(mediaJobs).values(
    names.map((name, index) => ({
      id: v7(),
      userId: me.userId,
      uploadRequestId: uploadId,
      name,
      createdAt: new Date(start + Math.floor(index / 3) * 1000),
    })),
  )
})
afterAll(async () => {
  await server.stop()
})

async function readAll(query: Record<string, string>): Promise<MediaJob[]> {
  const found: MediaJob[] = []
  let cursor: string | null = null
  do {
    const answer: { status: number; body: Page } = await me.client.get<Page>(
      `/v1/media-jobs/paginated?${new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })}`,
    )
    expect(answer.status).toBe(200)
    expect(answer.body.mediaJobs.length).toBeLessThanOrEqual(Number(query['limit'] ?? 10))
    found.push(...answer.body.mediaJobs)
    cursor = answer.body.pagination.nextCursor
  } while (cursor !== null)
  return found
}

it('EDT-02 pages concatenate to the whole list in every order, without repeats', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 14 }),
      fc.constantFrom('createdAt', 'name'),
      fc.constantFrom('asc', 'desc'),
      fc.constantFrom('', 'a', 'BETA', '%', '_', '\\', 'ü', 'nothing has this'),
      async (limit, sortBy, sortDirection, name) => {
        const found = await readAll({ limit: String(limit), sortBy, sortDirection, name })
        const expected = names.filter((each) => each.toLowerCase().includes(name.toLowerCase()))
        expect(found.map((job) => job.name).toSorted()).toEqual(expected.toSorted())
        expect(new Set(found.map((job) => job._id)).size).toBe(found.length)
        const sign = sortDirection === 'asc' ? 1 : -1
        const key = (job: MediaJob): string =>
          sortBy === 'name' ? job.name.toLowerCase() : job.createdAt
        for (const [index, job] of found.entries()) {
          const before = found[index - 1]
          if (before === undefined) continue
          const order =
            Buffer.compare(Buffer.from(key(before)), Buffer.from(key(job))) ||
            Buffer.compare(Buffer.from(before._id), Buffer.from(job._id))
          expect(order * sign).toBeLessThan(0)
        }
      },
    ),
    { numRuns: runs(60) },
  )
})

it('EDT-02 the newest ten come first when nothing is said, and a spoiled cursor is refused', async () => {
  const first = await me.client.get<Page>('/v1/media-jobs/paginated')
  expect(first.body.mediaJobs).toHaveLength(10)
  expect(first.body.mediaJobs[0]?.name).toBe('zoo')
  expect((await me.client.get('/v1/media-jobs/paginated?cursor=e30')).status).toBe(422)
})

it.each([
  { sortBy: 'createdAt', sortDirection: 'asc', name: '', key: 1e300, id: v7() },
  { sortBy: 'createdAt', sortDirection: 'asc', name: '', key: '2026-02-31', id: v7() },
  { sortBy: 'name', sortDirection: 'asc', name: '', key: 'a\0b', id: v7() },
  { sortBy: 'name', sortDirection: 'up', name: '', key: 'a', id: v7() },
  { sortBy: 'name', sortDirection: 'asc', name: '', key: 'a', id: 'x' },
])('EDT-02 a made-up cursor is refused: %o', async (position) => {
  const answer = await me.client.get(
    `/v1/media-jobs/paginated?cursor=${Buffer.from(JSON.stringify(position)).toString('base64url')}`,
  )
  expect(answer.status).toBe(422)
})
