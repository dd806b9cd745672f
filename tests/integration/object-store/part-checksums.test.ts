import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uploadRequests } from '#server/db/schema.ts'
import { createPartChecksums } from '#server/object-store/s3/part-checksums.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('SCL-02 of the parts of an upload it is known which the store was seen to have, up to the first that it was not', async () => {
  const { db, clock } = server.deps
  const { userId } = await server.signUp()
  const { uploadId } = await storeJob(server.deps, userId, ['still-pack'])
  await db.update(uploadRequests).set({ state: 'open' }).where(eq(uploadRequests.id, uploadId))
  const checksums = createPartChecksums(db, clock)
  const seen = async (...partNumbers: readonly number[]): Promise<number> => {
    const facts = { eTag: 'e', sizeBytes: 1, checksumSha256: null }
    const parts = partNumbers.map((partNumber) => ({ partNumber, ...facts }))
    await checksums.seen(uploadId, parts)
    return await checksums.firstUnseen(uploadId)
  }
  expect(await seen()).toBe(1)
  expect(await seen(2)).toBe(1)
  expect(await seen(1)).toBe(3)
  expect(await seen(4, 5)).toBe(3)
  expect(await seen(3)).toBe(6)
  const signed = async (from?: number): Promise<readonly number[]> =>
    [...(await checksums.list(uploadId, from)).keys()].toSorted()
  await Promise.all([1, 2, 3].map(async (n) => await checksums.add(uploadId, n, `hash ${n}`)))
  expect(await signed()).toEqual([1, 2, 3])
  expect(await signed(2)).toEqual([2, 3])
})
