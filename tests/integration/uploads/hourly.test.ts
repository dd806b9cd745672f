import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attestation } from '#tests/setup/order.ts'
import {
  CHOICES_PER_HOUR,
  FREE_PROCESSOR_S_PER_DAY,
  ORDERS_PER_HOUR,
  UPLOADS_PER_HOUR,
} from '#server/budgets.ts'
import { rateEvents, uploadRequests } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import type { ToolRunner } from '#server/media/confined.ts'
import { makePreview } from '#server/operations/media/media-assets/preview.ts'
import { searchAhead } from '#server/operations/processing/rendering/search-ahead.ts'
import { noteProcessorTime } from '#server/operations/media/uploads/processor-time.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadBytes } from '#tests/setup/upload.ts'

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

describe('TRU-02 the processor time of an account in a day, for what costs no tokens', () => {
  const secondsOf = async ({ userId }: SignedUp): Promise<number> =>
    await server.deps.db.$count(rateEvents, eq(rateEvents.key, `processor:${userId}`))

  /** With tools of which each run fails and takes 2.5 s. */
  function withTools(): { readonly runs: readonly string[]; readonly deps: Deps } {
    const runs: string[] = []
    const runner: ToolRunner = (tools, run) => {
      tools.allowance?.spend(2.5)
      runs.push(run.tool)
      return Promise.resolve({ kind: 'failed', exitCode: 1, fault: null, stderrTail: '' })
    }
    const { ffmpeg } = server.deps
    if (ffmpeg === null) throw new Error('This needs ffmpeg')
    const deps = { ...server.deps, ffmpeg: { ...ffmpeg, runner } }
    return { runs, deps }
  }

  it('is counted of checks, pieces of assets and searches ahead, also where they fail', async () => {
    const person = await server.signUp()
    const { runs, deps } = withTools()
    const signal = AbortSignal.timeout(patience(60))
    const { _id: uploadRequestId } = await uploadBytes(person.client, Buffer.from('no video'))
    const isIt = eq(uploadRequests.id, uploadRequestId)
    const works: readonly (() => Promise<unknown>)[] = [
      async () => await validateUpload(deps, { uploadRequestId, signal }),
      async () => {
        const asset = {
          purpose: 'media-asset',
          mediaKind: 'video',
          assetPreview: 'waiting',
        } as const
        await deps.db
          .update(uploadRequests)
          .set({ ...asset, probe: probe({ durationMs: 8_000 }) })
          .where(isIt)
        await makePreview(deps, { uploadRequestId, signal, isLastAttempt: true })
      },
      async () => {
        const video = { purpose: 'media-job', state: 'validated' } as const
        await deps.db.update(uploadRequests).set(video).where(isIt)
        await searchAhead(deps, { uploadRequestId, signal })
      },
    ]
    for (const work of works) {
      const [before, begun] = [await secondsOf(person), runs.length]
      await work().catch(() => undefined)
      expect(runs.length).toBeGreaterThan(begun)
      expect((await secondsOf(person)) - before).toBe(Math.ceil((runs.length - begun) * 2.5))
    }
  })

  it('ends with a sentence and a time, for this account only, and no search runs ahead', async () => {
    const person = await server.signUp()
    const begin = async () =>
      await person.client.post('/v2/upload-requests', uploadBody(crypto.randomUUID()))
    const { userId } = person
    await noteProcessorTime(server.deps, { userId, seconds: FREE_PROCESSOR_S_PER_DAY - 1.5 })
    expect((await begin()).status).toBe(201)
    now += 21 * 60 * 60 * 1000
    await noteProcessorTime(server.deps, { userId, seconds: 0.2 })
    const refused = await begin()
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'request/too-many', message: expect.stringMatching(/3 hours/) } },
    })
    expect(refused.headers.get('retry-after')).toBe(String(3 * 60 * 60))
    const { runs, deps } = withTools()
    const video = { state: 'validated', probe: probe() } as const
    const [{ id } = { id: '' }] = await deps.db
      .update(uploadRequests)
      .set(video)
      .where(eq(uploadRequests.userId, userId))
      .returning({ id: uploadRequests.id })
    await searchAhead(deps, { uploadRequestId: id, signal: AbortSignal.timeout(patience(60)) })
    expect(runs).toEqual([])
    const other = await server.signUp()
    const begun = await other.client.post('/v2/upload-requests', uploadBody(crypto.randomUUID()))
    expect(begun.status).toBe(201)
    now += 3 * 60 * 60 * 1000
    expect((await begin()).status).toBe(201)
  })
})
