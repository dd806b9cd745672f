import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { deletionLog, mediaJobs, mediaJobTasks, uploadRequests, users } from '#server/db/schema.ts'
import { sweepStorage } from '#server/operations/workflows/upkeep/storage.ts'
import { storeJob, type StoredJob } from '#tests/integration/orders/stored-job.ts'
import { untilWaitingFor } from '#tests/setup/lock-waits.ts'
import { attestation } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const DAY_MS = 86_400_000
let server: TestServer
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now), env: { ONECUT_ROLE: 'api' } })
})
afterAll(async () => await server.stop())

const newPerson = async (): Promise<SignedUp> => {
  now += 3_700_000
  return await server.signUp()
}
const storageOf = async ({ client }: SignedUp) =>
  (await client.get<{ storage: components['schemas']['Storage'] }>('/v1/storage')).body.storage
const goesAtOf = async (me: SignedUp, { uploadId }: StoredJob) =>
  (await storageOf(me)).videos.find(({ uploadRequestId }) => uploadRequestId === uploadId)
    ?.sourceGoesAt ?? null
const setRule = async ({ client, userId }: SignedUp, deleteSourcesAfterDays: number | null) =>
  expect(
    await client.patch(`/v1/${userId}/profile`, { userProfile: { deleteSourcesAfterDays } }),
  ).toMatchObject({ status: 200, body: { userProfile: { deleteSourcesAfterDays } } })
const isThere = async ({ uploadId }: StoredJob): Promise<boolean> => {
  const [row] = await server.deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadId))
  return row?.sourceRemovedAt === null
}
async function daysLater(days: number): Promise<void> {
  now += days * DAY_MS
  await sweepStorage(server.deps)
}

async function makeFinished(
  me: SignedUp,
  status: 'succeeded' | 'failed' = 'succeeded',
): Promise<StoredJob> {
  const job = await storeJob(server.deps, me.userId, ['still-pack'])
  const at = new Date(now)
  await server.deps.db
    .update(mediaJobs)
    .set({ workflowStartedAt: at, workflowEndedAt: at })
    .where(eq(mediaJobs.id, job.jobId))
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status, endedAt: at })
    .where(eq(mediaJobTasks.mediaJobId, job.jobId))
  return job
}

it('TRU-08 a video goes so many days after its edits as its owner wants, and the log says so', async () => {
  const [me, other] = [await newPerson(), await newPerson()]
  const [job, theirs] = [await makeFinished(me), await makeFinished(other)]
  expect(await goesAtOf(me, job)).toBeNull()
  await setRule(me, 14)
  const madeAt = now
  expect(await storageOf(me)).toMatchObject({ deleteSourcesAfterDays: 14, deletions: [] })
  expect(await goesAtOf(me, job)).toBe(new Date(madeAt + 14 * DAY_MS).toISOString())
  await daysLater(13.9)
  expect(await isThere(job)).toBe(true)
  await daysLater(0.2)
  expect(await isThere(job)).toBe(false)
  expect(await isThere(theirs)).toBe(true)
  expect(
    await server.deps.db
      .select({ what: deletionLog.what, reason: deletionLog.reason, doneAt: deletionLog.doneAt })
      .from(deletionLog)
      .where(eq(deletionLog.uploadRequestId, job.uploadId)),
  ).toEqual([{ what: 'source', reason: 'rule', doneAt: new Date(now) }])
  const { deletions } = await storageOf(me)
  const line = { name: 'scene.mp4', what: 'video', reason: 'rule', sizeBytes: 1000 }
  expect(deletions).toEqual([
    {
      ...line,
      _id: expect.any(String),
      begunAt: new Date(now).toISOString(),
      doneAt: new Date(now).toISOString(),
    },
  ])
  expect((await storageOf(other)).deletions).toEqual([])
})

it('TRU-08 nothing goes within a day after the rule was set, and a rule can be taken back', async () => {
  const me = await newPerson()
  const job = await makeFinished(me)
  await daysLater(30)
  await setRule(me, 7)
  expect(await goesAtOf(me, job)).toBe(new Date(now + DAY_MS).toISOString())
  await daysLater(0.9)
  expect(await isThere(job)).toBe(true)
  await setRule(me, 8)
  await daysLater(0.9)
  expect(await isThere(job)).toBe(true)
  await setRule(me, null)
  await daysLater(10)
  expect(await isThere(job)).toBe(true)
  expect(await storageOf(me)).toMatchObject({ deleteSourcesAfterDays: null })
  await setRule(me, 7)
  await daysLater(1.1)
  expect(await isThere(job)).toBe(false)
})

it('TRU-08 the rule leaves alone what has an order, an edit under way or in review, a hold, or no edit', async () => {
  const me = await newPerson()
  const { db } = server.deps
  const failed = await makeFinished(me, 'failed')
  const never = await storeJob(server.deps, me.userId, ['still-pack'])
  const held = await makeFinished(me)
  await db
    .update(uploadRequests)
    .set({ heldAt: new Date(now) })
    .where(eq(uploadRequests.id, held.uploadId))
  const underWay = await makeFinished(me)
  await db.update(mediaJobs).set({ workflowEndedAt: null }).where(eq(mediaJobs.id, underWay.jobId))
  const ordered = await makeFinished(me)
  const more = await me.client.post<{ mediaJob: { _id: string } }>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: ordered.uploadId,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
    },
  })
  const order = await me.client.post<{ order: { _id: string } }>('/v1/orders', {
    order: { mediaJobId: more.body.mediaJob._id, attestation },
  })
  expect(order.status).toBe(201)
  await setRule(me, 7)
  await daysLater(40)
  for (const job of [failed, never, held, underWay, ordered]) {
    expect(await isThere(job)).toBe(true)
    expect(
      await goesAtOf(me, job).then((at) => at === null || job === underWay || job === held),
    ).toBe(true)
  }
})

it('TRU-08 a rule that is taken back while its videos are on their way out keeps them', async () => {
  const me = await newPerson()
  const job = await makeFinished(me)
  await setRule(me, 7)
  now += 8 * DAY_MS
  const { db } = server.deps
  const sweep = await db.transaction(async (tx) => {
    await tx.select().from(uploadRequests).where(eq(uploadRequests.id, job.uploadId)).for('update')
    const work = sweepStorage(server.deps)
    await untilWaitingFor('upload_requests', { work, db })
    await tx.update(users).set({ deleteSourcesAfterDays: null }).where(eq(users.id, me.userId))
    return { work }
  })
  await sweep.work
  expect(await isThere(job)).toBe(true)
})

it('TRU-08 the storage of an account tells of its media assets', async () => {
  const me = await newPerson()
  const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await server.deps.db
    .update(uploadRequests)
    .set({ purpose: 'media-asset' })
    .where(eq(uploadRequests.id, uploadId))
  expect(await storageOf(me)).toMatchObject({
    usedBytes: 1000,
    videos: [],
    mediaAssets: { count: 1, bytes: 1000, maxBytes: 10_000_000_000 },
  })
})
