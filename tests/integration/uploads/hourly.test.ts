import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHOICES_PER_HOUR, ORDERS_PER_HOUR, UPLOADS_PER_HOUR } from '#server/budgets.ts'
import { rateEvents } from '#server/db/schema.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  me = await server.signUp()
})
afterAll(() => server.stop())

/** As if the account had begun all but one of an hour. */
async function allButOne(what: string, limit: number): Promise<void> {
  const key = `${what}:${me.userId}`
  const at = new Date(now)
  await server.deps.db
    .insert(rateEvents)
    .values(Array.from({ length: limit - 1 }, () => ({ key, at })))
}
const KEYS = [crypto.randomUUID(), crypto.randomUUID()] as const
const uploadBody = (idempotencyKey: string) => ({
  uploadRequest: {
    idempotencyKey,
    upload: {
      provider: 's3-multipart',
      metadata: { clientFilename: 'a.mp4', clientFileSize: 10 },
    },
  },
})

it('TRU-02 uploads, choices and orders of one account are limited an hour, with words and the time to wait', async () => {
  await allButOne('uploads-begun', UPLOADS_PER_HOUR)
  await allButOne('edits-chosen', CHOICES_PER_HOUR)
  await allButOne('orders-placed', ORDERS_PER_HOUR)
  const upload = async (key: string) => await me.client.post('/v2/upload-requests', uploadBody(key))
  const { uploadId } = await storeJob(server.deps, me.userId, ['teaser-15s'])
  const choose = async () =>
    await me.client.post('/v2/media-jobs', {
      mediaJob: {
        uploadRequestId: uploadId,
        mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
      },
    })
  const jobs = await Promise.all(
    [1, 2].map(async () => await storeJob(server.deps, me.userId, ['still-pack'])),
  )
  const order = async (index: number) =>
    await me.client.post('/v1/orders', { order: { mediaJobId: jobs[index]?.jobId, attestation } })

  expect((await upload(KEYS[0])).status).toBe(201)
  expect((await choose()).status).toBeLessThan(300)
  expect((await order(0)).status).toBe(201)
  for (const refused of [await upload(KEYS[1]), await choose(), await order(1)]) {
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'request/too-many', message: expect.stringMatching(/60 minutes/) } },
    })
    expect(refused.headers.get('retry-after')).toBe('3600')
  }
  // What began already is not refused, and other accounts are not touched.
  expect((await upload(KEYS[0])).status).toBe(200)
  expect((await order(0)).status).toBe(200)
  const other = await server.signUp()
  expect((await other.client.post('/v2/upload-requests', uploadBody(KEYS[0]))).status).toBe(201)
  now += 60 * 60 * 1000
  expect((await upload(KEYS[1])).status).toBe(201)
})
