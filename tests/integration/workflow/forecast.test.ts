import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import {
  faceFindings,
  mediaJobs,
  mediaJobTasks,
  renderSpeeds,
  uploadRequests,
} from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import {
  learnFaces,
  learnRender,
  learnSearch,
} from '#server/operations/processing/speeds/speeds.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { fakeFinding } from '#tests/fakes/face-search.ts'
import { storeJob, type StoredJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_ROLE: 'api', ONECUT_WORKERS: '1' },
  })
})
afterAll(() => server.stop())
// No test has the queue of another one.
afterEach(async () => {
  await server.deps.db.update(mediaJobs).set({ workflowEndedAt: new Date(now) })
})

const forecast = async ({ client }: SignedUp, { jobId }: StoredJob) =>
  (
    await client.get<{ forecast: components['schemas']['MediaJobForecast'] }>(
      `/v1/media-jobs/${jobId}/forecast`,
    )
  ).body.forecast

/** Paid, and waiting in the queue. */
async function startJob({ jobId, taskIds }: StoredJob, costS: number): Promise<void> {
  const { db } = server.deps
  await db
    .update(mediaJobs)
    .set({ workflowStartedAt: new Date(now) })
    .where(eq(mediaJobs.id, jobId))
  for (const taskId of taskIds)
    await db.update(mediaJobTasks).set({ costS }).where(eq(mediaJobTasks.id, taskId))
}

/** Renders of an edit that took this long for each estimated processor second. */
async function learn({ uploadId }: StoredJob, slug: string, ratios: readonly number[]) {
  const [upload] = await server.deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadId))
  const [source, recipe] = [readStoredProbe(upload?.probe), findRecipe(slug)]
  if (source === null || recipe === undefined) throw new Error('Nothing to learn from')
  for (const ratio of ratios) {
    const begunAt = now
    now += 1_000_000 * ratio
    const task = { costS: 1000 }
    await learnRender(server.deps, { task, recipe, source, begunAt })
  }
  return { source }
}

it('REC-25 nothing is said before the server has made an edit of each kind, then the time until all are ready', async () => {
  const me = await server.signUp()
  const job = await storeJob(server.deps, me.userId, ['dynamic-watermark', 'voice-mask-full-scene'])
  expect(await forecast(me, job)).toEqual({
    remainingMs: null,
    editsAhead: 0,
    review: null,
  })
  await learn(job, 'dynamic-watermark', [2, 2, 2])
  expect((await forecast(me, job)).remainingMs).toBeNull()
  await learn(job, 'voice-mask-full-scene', [1, 1, 1])
  const { remainingMs } = await forecast(me, job)
  expect(remainingMs).toBeGreaterThan(0)
  await learn(job, 'dynamic-watermark', [4, 4, 4, 4])
  expect((await forecast(me, job)).remainingMs).toBeGreaterThan(remainingMs ?? Infinity)
})

it('REC-25 a table of speeds keeps the newest fifteen of each recipe and size, and a search for moments counts once', async () => {
  const me = await server.signUp()
  const job = await storeJob(server.deps, me.userId, ['still-pack', 'tube-cut'])
  const of = Array.from({ length: 40 }, (_, at) => 1 + at / 1000)
  const { source } = await learn(job, 'still-pack', of)
  await learn(job, 'tube-cut', [1, 1, 1])
  const rows = await server.deps.db
    .select()
    .from(renderSpeeds)
    .where(eq(renderSpeeds.work, 'still-pack'))
  expect(rows.map(({ pictureSize, ratios }) => [pictureSize, ratios.length])).toEqual([
    ['full-hd', 15],
  ])
  expect(Math.min(...(rows[0]?.ratios ?? []))).toBeGreaterThan(1.02)
  expect((await forecast(me, job)).remainingMs).toBeNull()
  for (const _ of [1, 2, 3]) {
    const begunAt = now
    now += 600_000
    await learnSearch(server.deps, { source, begunAt })
  }
  const searching = (await forecast(me, job)).remainingMs ?? 0
  await server.deps.db
    .update(uploadRequests)
    .set({ moments: [] })
    .where(eq(uploadRequests.id, job.uploadId))
  const searched = (await forecast(me, job)).remainingMs ?? 0
  expect(searching - searched).toBeGreaterThan(590_000)
  expect(searching - searched).toBeLessThan(610_000)
})

it('REC-25 edits of others that go before count, and so does what is left of one that is made', async () => {
  const [me, ben, cleo] = [await server.signUp(), await server.signUp(), await server.signUp()]
  const mine = await storeJob(server.deps, me.userId, ['dynamic-watermark'])
  const alone = (await forecast(me, mine)).remainingMs ?? 0
  const first = await storeJob(server.deps, ben.userId, ['dynamic-watermark'])
  await startJob(first, 1000)
  now += 1000
  const second = await storeJob(server.deps, cleo.userId, ['dynamic-watermark'])
  await startJob(second, 1000)
  now += 1000
  await startJob(mine, 1000)
  const waiting = await forecast(me, mine)
  expect(waiting.editsAhead).toBe(2)
  expect(await forecast(cleo, second)).toMatchObject({ editsAhead: 1 })
  expect(waiting.remainingMs).toBeGreaterThan(2 * alone)
  const [taskId = ''] = first.taskIds
  const lease = await takeLease(server.deps, { taskId })
  const begin = { status: 'started', startedAt: new Date(now), progressRatio: 0.5 } as const
  await server.deps.db.update(mediaJobTasks).set(begin).where(eq(mediaJobTasks.id, taskId))
  now += 100_000
  // Half of it took 100 s, so that 100 s are left of what was expected to take over 2,000.
  const later = await forecast(me, mine)
  expect(later.editsAhead).toBe(1)
  expect((waiting.remainingMs ?? 0) - (later.remainingMs ?? 0)).toBeGreaterThan(1_800_000)
  expect(await forecast(ben, first)).toEqual({
    remainingMs: 100_000,
    editsAhead: 0,
    review: null,
  })
  await lease?.release()
})

it('REC-25 of an order with a review it is said when there is something to look at, how long it takes from then on, and when the others are ready', async () => {
  const me = await server.signUp()
  const job = await storeJob(server.deps, me.userId, [
    'face-blurred-full-scene',
    'voice-mask-full-scene',
  ])
  const { source } = await learn(job, 'voice-mask-full-scene', [1, 1, 1])
  const { remainingMs, review } = await forecast(me, job)
  expect([remainingMs, review?.inMs, review?.thenMs]).toEqual([null, null, null])
  expect(review?.othersMs).toBeGreaterThan(0)
  for (const _ of [1, 2, 3]) {
    const begunAt = now
    now += 600_000
    await learnFaces(server.deps, { source, begunAt })
  }
  // A quick edit has a slot of its own beside the search.
  const searched = (await forecast(me, job)).review
  const othersMs = searched?.othersMs ?? 0
  expect(searched).toEqual({ inMs: 600_000, thenMs: null, othersMs })
  await learn(job, 'face-blurred-full-scene', [1, 1, 1])
  const known = (await forecast(me, job)).review
  expect(known).toMatchObject({ inMs: 600_000, othersMs })
  expect(known?.thenMs).toBeGreaterThan(0)
})

it('REC-25 a search for faces that runs is known by its own progress, and a video that was searched is not searched again', async () => {
  const [me, other] = [await server.signUp(), await server.signUp()]
  const job = await storeJob(server.deps, me.userId, ['face-blurred-full-scene'])
  const { db } = server.deps
  const [taskId = ''] = job.taskIds
  await startJob(job, 1000)
  await db
    .update(mediaJobTasks)
    .set({ reviewState: 'searching' })
    .where(eq(mediaJobTasks.id, taskId))
  const lease = await takeLease(server.deps, { taskId })
  await db
    .update(mediaJobTasks)
    .set({ status: 'started', startedAt: new Date(now), progressRatio: 0.25 })
    .where(eq(mediaJobTasks.id, taskId))
  now += 100_000
  // A quarter of the edit is half of its search, so that the search takes 100 s more.
  const { review } = await forecast(me, job)
  expect(review).toMatchObject({ inMs: 100_000, othersMs: null })
  const next = await storeJob(server.deps, other.userId, ['dynamic-watermark'])
  const behind = await forecast(other, next)
  expect(behind.editsAhead).toBe(0)
  await lease?.release()
  await db
    .update(mediaJobTasks)
    .set({ status: 'created', startedAt: null })
    .where(eq(mediaJobTasks.id, taskId))
  const found = { uploadRequestId: job.uploadId, finding: fakeFinding, sizeBytes: 1 }
  await db.insert(faceFindings).values({ ...found, foundAt: new Date(now) })
  expect((await forecast(me, job)).review).toMatchObject({ inMs: 0 })
})

it('REC-25 nothing is said of orders of others and of what has ended', async () => {
  const [me, other] = [await server.signUp(), await server.signUp()]
  const job = await storeJob(server.deps, me.userId, ['face-blurred-full-scene'])
  const { client } = other
  expect((await client.get(`/v1/media-jobs/${job.jobId}/forecast`)).status).toBe(404)
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'succeeded' })
    .where(eq(mediaJobTasks.mediaJobId, job.jobId))
  expect(await forecast(me, job)).toEqual({ remainingMs: null, editsAhead: null, review: null })
})
